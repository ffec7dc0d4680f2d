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
  int line = 0;  ///< line of the include; 0 if the list has none
};
/// Returns nullopt if the include is correct: it occurs exactly once, is compiled, and is between
/// the last revision and the sentinel.
std::optional<BlockFault> FaultOfBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

/// Returns a fault if the list includes the pending file of a different list, or its own pending
/// file although `at_landing` is false. In both cases, the compiler would see entries that revctl
/// does not read.
std::optional<BlockFault> StrayInclude(const list::RevisionList& list,
                                       const list::ListConfig& config, bool at_landing);

/// Returns the list's text with the include after the last revision. Removes the include from any
/// other place. If the list has a `current`, defines it relative to the sentinel (and adds a
/// sentinel if there is none), because `current` must follow the pending revisions. Returns the
/// text unchanged if it is already correct. Returns a usage error for a newest-first list, for
/// leading commas, and if a needed name is already taken.
base::Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config);

/// Returns the list's text without the include. Does not change a `current` that is defined
/// relative to the sentinel.
base::Result<std::string> WithoutBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

}  // namespace revctl::pending
