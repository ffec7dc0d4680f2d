#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::commands {

/// Uncommitted changes of the work tree, as paths relative to the repository's root.
struct TreeChanges {
  std::vector<std::string> tracked;  ///< staged or modified files
  std::vector<std::string> unmerged;
  std::vector<std::string> untracked;
};
/// Returns the uncommitted changes. Lists untracked files only under `folders`.
base::Result<TreeChanges> ChangesOf(const git::Repository& repository,
                                    const std::vector<std::string>& folders = {});

/// True if `path` is one of `places` or inside one of them.
bool LiesIn(const std::string& path, const std::vector<std::string>& places);

/// Returns the paths for a message, such as "a, b and 3 more".
std::string SomeOf(const std::vector<std::string>& paths);

/// Commits the current content of `paths` with `git commit`, which runs the user's hooks.
base::Result<base::Done> CommitPaths(const git::Repository& repository,
                                     const std::vector<std::string>& paths,
                                     const std::string& message);

/// A file's base, ours and theirs object ids in an unfinished merge; nullopt for each side that
/// lacks the file.
using Stages = std::array<std::optional<git::Oid>, 3>;

/// Returns the unmerged index entries at or under `place`, by path. `place` is relative to the
/// repository's root.
base::Result<std::map<std::string, Stages>> IndexConflictsUnder(const git::Repository& repository,
                                                                const std::string& place);

/// Returns the text of each stage, or "" for a missing stage.
base::Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                                 const Stages& stages);

}  // namespace revctl::commands
