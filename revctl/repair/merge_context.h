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

/// Everything needed to merge one list, apart from the three texts. Gathered without network
/// access.
struct MergeScene {
  std::unique_ptr<git::Repository> repository;
  list::ListConfig list;
  list::MergeContext context;
  std::vector<std::string> notes;  ///< warnings about missing information, for the user
};

/// Gathers the context for the list at `path`, which is relative to the root of the repository that
/// contains `directory`. If the work tree's `.revctl.yaml` is unreadable or does not contain the
/// list, for example because of a conflict, uses the config at HEAD.
base::Result<MergeScene> GatherMergeScene(const std::string& directory, const std::string& path);

/// Gathers the context without git. `path` is the path of the list, either absolute or relative to
/// `directory`. `landed` is the text of the side that has landed. Uses the nearest `.revctl.yaml`,
/// or the default config if there is none.
base::Result<MergeScene> SceneOfTool(const std::string& directory, const std::string& path,
                                     const std::string& base, const std::string& landed);

/// Everything needed to merge one file in a golden folder. Gathered without network access.
struct GoldenScene {
  golden::FileName name;
  std::string target;  ///< the target's ref, for messages
  bool target_known = false;
  std::optional<std::string> landed;  ///< the file on the target; nullopt if the target does not
                                      ///< have it
};

/// Gathers the context for a golden file. Returns nullopt if `path` is not in a golden folder.
base::Result<std::optional<GoldenScene>> GatherGoldenScene(const std::string& directory,
                                                           const std::string& path);

/// Returns the commits that may be part of the current merge, rebase or cherry-pick: HEAD, and the
/// commits that git names in files or in the environment. Needed because git does not tell a merge
/// driver which commits it is merging.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository);

/// Returns a callback that merges texts with libgit2, used when merging lists.
list::TextMerge PlainTextMerge(int marker_size);

}  // namespace revctl::commands
