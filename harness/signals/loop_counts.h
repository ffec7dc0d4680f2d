#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// A loop of a body that visits one place more or less often than the golden has it. A loop of
/// plain `Serialize(r, d.slot[i])` is one field of the layout, whatever its count is.
struct LoopCount {
  std::string path;  ///< of what holds the elements, below the root: `bags[0]`; empty for the root
  std::size_t recorded = 0, now = 0;
  SourcePlace place{};  ///< of the visit; line 0 if no source has it
};

/// Returns the first such loop, in the order of the golden's values, if every value before it is
/// read as recorded; nothing otherwise, because a count may then follow from another change.
std::optional<LoopCount> FindLoopCount(const RootType& root, const Decoded& decoded);

}  // namespace revctl::harness
