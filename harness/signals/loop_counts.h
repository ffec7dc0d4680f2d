#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// A loop in a body that visits more or fewer elements than the golden contains. The layout does
/// not reveal this change: all iterations of a loop, for example over `Serialize(r, d.slot[i])`,
/// are a single field of the layout.
struct LoopCount {
  /// path of the object that contains the elements, such as `bags[0]`; empty for the root
  std::string path;
  std::size_t recorded = 0, now = 0;
  SourcePlace place{};  ///< place of the visit; line 0 if it has no source
};

/// Returns the first such loop in the order of the golden's values, or nullopt if there is none.
/// Also returns nullopt if a value before the loop is not read as recorded, because the changed
/// count may then be a consequence of a different change.
std::optional<LoopCount> FindLoopCount(const RootType& root, const Decoded& decoded);

}  // namespace revctl::harness
