#pragma once
#include <map>
#include <set>
#include <string>

#include "revctl/commands/list_gate.h"

namespace revctl::commands {

/// The way out for a golden that landed stale (RV028 says when it is): no program has written files
/// like it, and the target's harness is red until it is written anew. The evidence is the target's
/// own record: its `previous` names a revision, and one that landed behind that shares a type with
/// it. A record that was made on top of such a one in this change counts as well.
///
/// For each of the `edited` revisions that may be written anew, the finding about it: a warning
/// where that is done once and for all (made with all that stands before it, no golden left out),
/// an error that says what is wrong otherwise. `folder` is that of the goldens at `target`, from
/// the repository's root.
base::Result<std::map<std::string, findings::Finding>> FindWrittenAnew(
    ListGate& gate, const git::Oid& target, const std::string& folder,
    const std::set<std::string>& edited);

}  // namespace revctl::commands
