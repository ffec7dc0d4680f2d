#pragma once
#include <string>
#include <vector>

#include <array>
#include <map>
#include <optional>
#include "revctl/base/process.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// Paths of the work tree, from the repository's root, that are not as HEAD has them.
struct TreeChanges {
  std::vector<std::string> tracked;   ///< staged or modified
  std::vector<std::string> unmerged;  ///< left by a conflict
  std::vector<std::string> untracked;
};
/// Untracked files are listed under `folders` alone.
base::Result<TreeChanges> ChangesOf(const git::Repository& repository,
                                    const std::vector<std::string>& folders = {});

/// Is `path` one of `places`, or in one of them?
bool LiesIn(const std::string& path, const std::vector<std::string>& places);

/// "a, b and 3 more", for messages.
std::string SomeOf(const std::vector<std::string>& paths);

/// `paths` with what they hold now as a commit of its own, by the user's git with its hooks.
base::Result<base::Done> CommitPaths(const git::Repository& repository,
                                     const std::vector<std::string>& paths,
                                     const std::string& message);

/// What another git command does in this work tree just now ("rebase", "merge", ...); empty:
/// nothing.
std::string OperationIn(const git::Repository& repository);

/// The tree of a commit.
base::Result<git::Oid> TreeOf(const git::Repository& repository, const git::Oid& commit);

/// An Error with what git said, where it failed.
base::Result<base::ProcessResult> MustRun(base::Result<base::ProcessResult> run,
                                          const std::string& what);

/// Base, ours and theirs of a file in an unfinished merge; nullopt: that side has none.
using Stages = std::array<std::optional<git::Oid>, 3>;

/// What the index holds in conflict at `place`, a file or folder from the repository's root, by
/// path.
base::Result<std::map<std::string, Stages>> UnmergedAt(const git::Repository& repository,
                                                       const std::string& place);

/// The sides' texts; "" where one has none.
base::Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                                 const Stages& stages);

}  // namespace revctl::commands
