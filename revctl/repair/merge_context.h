#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden/index.h"
#include "revctl/git/repository.h"
#include "revctl/list/merging/merge.h"

namespace revctl::commands {

/// Everything that a merge of one list needs besides the texts. Gathered without network access.
struct MergeScene {
  std::unique_ptr<git::Repository> repository;
  list::ListConfig list;
  list::MergeContext context;
  std::vector<std::string> notes;  ///< warnings about missing information, for the user
};

/// Gathers the context for the list at `path`, which is relative to the root of the repository that
/// contains `directory`. If the work tree's `.revctl.yaml` is in conflict, uses HEAD's, then the
/// target's.
base::Result<MergeScene> GatherMergeScene(const std::string& directory, const std::string& path);

/// Gathers the context outside of git for the list at `path`, which is absolute or relative to
/// `directory`. `landed` is the side that has landed. The nearest `.revctl.yaml` configures the
/// list; without one the defaults do.
base::Result<MergeScene> SceneOfTool(const std::string& directory, const std::string& path,
                                     const std::string& base, const std::string& landed);

/// Everything that a merge of one file of a golden folder needs. Gathered without network access.
struct GoldenScene {
  golden::FileName name;
  std::string target;  ///< ref of the target, for messages
  bool target_known = false;
  std::optional<std::string> landed;  ///< the target's file; nullopt if it has none
};

/// Gathers the context for a golden file, or returns nullopt if `path` is not in a golden folder.
base::Result<std::optional<GoldenScene>> GatherGoldenScene(const std::string& directory,
                                                           const std::string& path);

/// Returns the commits that the current merge, rebase or pick may involve: HEAD, and the commits
/// that git notes in files or the environment. git does not pass the merged commits to a merge
/// driver.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository);

/// Returns libgit2's text merge as a callback for the list's merge.
list::TextMerge PlainTextMerge(int marker_size);

}  // namespace revctl::commands
