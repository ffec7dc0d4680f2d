#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "revctl/git/repository.h"

// Queries about a repository's remotes, configuration and folders.
namespace revctl::git {

base::Result<std::vector<std::string>> Remotes(const Repository& repository);
/// Returns the remote's default branch according to this clone, or nullopt if it is unknown.
base::Result<std::optional<std::string>> DefaultBranchOf(const Repository& repository,
                                                         const std::string& remote);
/// Returns the symbolic refs, each with the ref that it points to.
base::Result<std::map<std::string, std::string>> SymbolicRefs(const Repository& repository);
/// Returns the folder of the other work tree that has the branch checked out, or "" if there is
/// none.
base::Result<std::string> OtherWorkTreeOn(const Repository& repository, const std::string& branch);
/// Returns the hooks folder, which core.hooksPath may override.
base::Result<std::string> HooksFolder(const Repository& repository);
/// Sets a key in the repository's own config, or removes it if `value` is nullopt.
base::Result<base::Done> SetLocalConfig(const Repository& repository, const std::string& key,
                                        const std::optional<std::string>& value);
/// Returns the major and minor version of the user's git. On failure, the error message contains
/// git's output.
base::Result<std::pair<int, int>> InstalledVersion();

}  // namespace revctl::git
