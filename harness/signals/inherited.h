#pragma once
#include <cstddef>
#include <vector>

#include "harness/signals/signals.h"

namespace revctl::harness {

/// A golden that files of a later revision look like, and what today's code makes of one of those.
struct Inherited {
  const Golden* golden = nullptr;
  Decoded decoded;
};
/// What the revision at `index` inherits of a root type's goldens: none where some were recorded
/// there. Left out is what is no longer read as it was recorded.
std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames);

}  // namespace revctl::harness
