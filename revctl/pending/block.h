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

/// Finds an include of another list's pending file, or of the list's own although it does not
/// number at landing (`at_landing`). The compiler would see entries that revctl does not.
std::optional<BlockFault> StrayInclude(const list::RevisionList& list,
                                       const list::ListConfig& config, bool at_landing);

/// Returns the list's text with the include after the last revision. An include in another place or
/// a second one is removed. `current`, if the list has one, is counted from the sentinel, because
/// it must follow the pending revisions; a missing sentinel is added. Returns the text unchanged if
/// all of this is already true. Usage errors: a newest-first list, leading commas, or a name that
/// is already taken.
base::Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config);

/// Returns the list's text without the include. A `current` that counts from the sentinel stays so.
base::Result<std::string> WithoutBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

}  // namespace revctl::pending
