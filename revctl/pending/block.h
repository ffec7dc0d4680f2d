#pragma once
#include <optional>
#include <string>

#include "revctl/list/reading/revision_list.h"

namespace revctl::pending {

/// What is wrong with the lines by which a list includes its pending revisions.
struct BlockFault {
  std::string why;
  int line = 0;  ///< of the include; 0: there is none
};
/// nullopt: they stand there once, are compiled in, and come between the last revision and the
/// sentinel.
std::optional<BlockFault> FaultOfBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

/// The list includes what no pending revisions of it are: another file of that kind, or its own
/// though its numbers are not given at landing (`at_landing`). Entries in it would be the
/// compiler's alone.
std::optional<BlockFault> StrayInclude(const list::RevisionList& list,
                                       const list::ListConfig& config, bool at_landing);

/// The list's text with those lines behind its last revision, and with its `current`, where it
/// keeps one, counted from the sentinel, since a name would have to follow the pending revisions.
/// Gives the list a sentinel where it has a `current` and none. The same text where all that is so.
/// Lines that stand elsewhere, or twice, are taken out first.
/// Usage errors: a newest-first list, one that begins its lines with commas, a name in the way.
base::Result<std::string> WithBlock(const list::RevisionList& list, const list::ListConfig& config);

/// The list's text without those lines; what was counted from the sentinel stays so.
base::Result<std::string> WithoutBlock(const list::RevisionList& list,
                                       const list::ListConfig& config);

}  // namespace revctl::pending
