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

/// What a merge of one list file must know, gathered without a network.
struct MergeScene {
  std::unique_ptr<git::Repository> repository;
  list::ListConfig list;
  list::MergeContext context;
  std::vector<std::string> notes;  ///< what could not be known, for a person
};

/// `directory` lies in the repository, `path` is the list's, from the repository's root. In the
/// middle of a merge the work tree's `.revctl.yaml` may be in conflict: then HEAD's is asked, then
/// the target's.
base::Result<MergeScene> GatherMergeScene(const std::string& directory, const std::string& path);

/// What a merge of one file of a golden folder must know, gathered without a network.
struct GoldenScene {
  golden::FileName name;
  std::string target;  ///< its ref, for messages
  bool target_known = false;
  std::optional<std::string> landed;  ///< the target's file; nullopt: it has none
};

/// nullopt: `path` is no file of a golden folder.
base::Result<std::optional<GoldenScene>> GatherGoldenScene(const std::string& directory,
                                                           const std::string& path);

/// Commits that the merge, rebase or pick in progress may be about. git does not tell a driver
/// which ones it merges, so these are HEAD and the commits that git has noted in files or the
/// environment.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository);

/// libgit2's text merge in the form that the list's merge takes.
list::TextMerge PlainTextMerge(int marker_size);

}  // namespace revctl::commands
