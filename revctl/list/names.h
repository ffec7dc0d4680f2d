#pragma once
#include <string_view>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// `MINIMAL`, `SR_OLDEST`, `kVersion_LowestSupported`: what lists call the name that follows the
/// oldest readable revision.
bool IsOldestName(std::string_view name);

/// Other names are frozen like revisions, since code gates on them, but for those that move by
/// their nature.
///
/// `current`, the sentinel and what counts from it, `oldest`, a number kept equal to the latest by
/// hand, and names that say so: LATEST, MINIMAL, LowestSupported.
class MovingNames {
 public:
  /// Both must outlive this.
  MovingNames(const RevisionList& list, const ListConfig& config);
  /// `name` is an entry of the list.
  bool Has(const Entry& name) const;

 private:
  const ListConfig& config_;
  const Entry *current_, *latest_;  ///< looked for once: a list may be all names
};

}  // namespace revctl::list
