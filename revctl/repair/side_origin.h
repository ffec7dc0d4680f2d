#pragma once
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "revctl/git/repository.h"
#include "revctl/list/merge.h"

namespace revctl::commands {

/// Commits that the merge, rebase or pick that is going on may be of. git does not tell a driver:
/// HEAD, and what git has written down of it.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository);

/// Whether the commit of a side knew that `landed` has landed, with the target's number: it was
/// made behind that. False for commits that git does not name to a driver: those of a pick, a
/// revert, a rebase.
std::function<bool(std::string_view side, const std::string& landed)> SidesThatKnew(
    const git::Repository& repository, git::Oid target, list::ListConfig list, std::string folder);

/// Asks the commits of a side of the merge that is going on whether a name there is older than the
/// landed revision on its number (list::Origin). git does not tell a driver which commits it
/// merges; they are found by their list, wherever each has its file, among HEAD and what git has
/// written down of the merge. `folder` is that of .revctl.yaml, with its final '/'. Costs a few
/// reads of history, at the first question only. `repository` must outlive the answer.
std::function<list::Origin(std::string_view side, const std::string& name,
                           const std::string& landed)>
SideOrigins(const git::Repository& repository, git::Oid target, list::ListConfig list,
            std::string folder);

}  // namespace revctl::commands
