#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// A loop of a body that visits a place more or less often than the golden contains it. A loop of
/// plain `Serialize(r, d.slot[i])` is a single field of the layout, whatever its count is.
struct LoopCount {
  std::string path;  ///< path of the container, below the root: `bags[0]`; empty for the root
  std::size_t recorded = 0, now = 0;
  SourcePlace place{};  ///< place of the visit; line 0 if it is not in a source
};

/// Returns the first such loop, in the order of the golden's values, if every value before it is
/// read as recorded. Otherwise returns nullopt, because the count may be a consequence of another
/// change.
std::optional<LoopCount> FindLoopCount(const RootType& root, const Decoded& decoded);

}  // namespace revctl::harness
