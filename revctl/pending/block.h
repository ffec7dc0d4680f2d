#pragma once
#include <optional>
#include <string>

#include "revctl/list/reading/revision_list.h"

namespace revctl::pending {

/// Returns the lines with which a list includes its pending revisions.
std::string BlockText(const list::ListConfig& config, const std::string& line_end = "\n");

/// An error in the lines with which a list includes its pending revisions.
struct BlockFault {
  std::string why;
  int line = 0;  ///< line of the include; 0 if there is none
};
/// Returns nullopt if the include is correct: it occurs once, is compiled, and is between the last
/// revision and the sentinel.
std::optional<BlockFault> FaultOfBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

/// Returns a fault if the list includes the pending file of another list, or its own although its
/// numbers are not given at landing (`at_landing` is false). The compiler would see entries that
/// revctl does not read.
std::optional<BlockFault> StrayInclude(const list::RevisionList& list,
                                       const list::ListConfig& config, bool at_landing);

/// Returns the list's text with the include after the last revision. Removes an include at any
/// other place. If the list has a `current`, makes `current` count from the sentinel, because
/// `current` must follow the pending revisions, and adds the sentinel if it is missing. Returns the
/// text unchanged if nothing has to be done. Returns a usage error for a newest-first list, for
/// leading commas, and if a needed name is already taken.
base::Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config);

/// Returns the list's text without the include. A `current` that counts from the sentinel is not
/// changed.
base::Result<std::string> WithoutBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

}  // namespace revctl::pending
