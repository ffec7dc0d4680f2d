#pragma once
#include <map>
#include <set>
#include <string>

#include "revctl/gate/list_gate.h"

namespace revctl::commands {

/// RV029, RV030, for lists with `numbers: at-landing`: what the tree is before and after decides,
/// never the form of a commit. `merged` is the list that the merge gives, without its pending
/// files. `files` are the pending files that it gives; `clashes` those that both sides wrote.
base::Result<base::Done> CheckPending(ListGate& gate, const list::RevisionList& merged,
                                      const std::vector<pending::PendingText>& files,
                                      const std::vector<std::string>& clashes);

/// RV029 for a change that begins with numbers at landing: the list includes its pending revisions
/// where they belong, and the file is not in git.
base::Result<base::Done> CheckTurnToLanding(ListGate& gate, const list::RevisionList& list);

/// A declaration in a header, with its path from the repository's root.
struct HeaderPlace {
  std::string path;
  int line = 0;
};

/// Of `names`, those that headers of the tree declare which the list's file includes. A file in
/// any folder counts whose path ends as the include does, unless one stands beside the including
/// file. Those of a system or of a build are not seen.
base::Result<std::map<std::string, HeaderPlace>> DeclaredInHeaders(
    const ListGate& gate, const list::RevisionList& merged, const std::set<std::string>& names);

/// RV016 where such a header makes another word of one that stands in the enum of the list.
base::Result<base::Done> CheckHeaders(ListGate& gate, const list::RevisionList& list);

/// RV018: a release has no pending files.
base::Result<base::Done> CheckPendingOnRelease(ListGate& gate);

}  // namespace revctl::commands
