#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

// Queries about the index and the work tree. Paths are relative to the repository's root.
namespace revctl::git {

/// Where a query searches: the work tree including untracked files, the index, or a commit.
struct Place {
  enum class Kind { WorkTree, Index, Commit };
  Kind kind = Kind::WorkTree;
  Oid commit = {};  ///< only set for Kind::Commit
};

struct StatusEntry {
  std::string code;  ///< the two-letter code of `git status --porcelain`, such as " M"
  std::string path;
  bool untracked() const { return code == "??"; }
  bool unmerged() const;
};
/// Returns the changed files. Omits submodules whose content has changed but whose commit has
/// not.
base::Result<std::vector<StatusEntry>> Status(const Repository& repository, bool with_untracked);

struct IndexEntry {
  std::string path;
  Oid id;
  std::uint32_t mode = 0;
  int stage = 0;  ///< 0 if merged, otherwise 1 (base), 2 (ours) or 3 (theirs)
};
enum class Entries { All, Unmerged };
/// Returns the entries at or under `path`.
base::Result<std::vector<IndexEntry>> IndexEntries(const Repository& repository, Entries which,
                                                   const std::string& path);
/// Returns the tracked files at or under `path`.
base::Result<std::vector<std::string>> TrackedFiles(const Repository& repository,
                                                    const std::string& path);
/// Returns the tracked files that match the git glob `glob`, in which `**` crosses folders.
base::Result<std::vector<std::string>> TrackedFilesLike(const Repository& repository,
                                                        const std::string& glob);
/// Returns the untracked files, including ignored ones.
base::Result<std::vector<std::string>> UntrackedFiles(const Repository& repository);

/// Returns the content of a blob. `what` names the blob in the error message.
base::Result<std::string> ReadBlob(const Repository& repository, const Oid& id,
                                   const std::string& what);

/// Returns the lines of text files that contain one of `words` as a whole word, in the form
/// `path:line:text`.
base::Result<std::vector<std::string>> LinesWithWords(const Repository& repository,
                                                      const Place& place,
                                                      const std::vector<std::string>& words);
/// Returns the text files that contain one of `texts`.
base::Result<std::vector<std::string>> FilesWithAny(const Repository& repository,
                                                    const Place& place,
                                                    const std::vector<std::string>& texts);
/// Returns the paths of all files in the work tree that satisfy `wanted`, are not ignored by git,
/// and contain one of `texts`, in sorted order. Gives the same result as `git grep -I -l
/// --untracked` without starting a process. Returns nullopt if the caller must run git instead.
base::Result<std::optional<std::vector<std::string>>> FilesHolding(
    const Repository& repository, const std::vector<std::string>& texts,
    const std::function<bool(const std::string& path)>& wanted);
/// Returns the text files of the work tree that match each of the extended regular expressions.
base::Result<std::vector<std::string>> FilesMatchingAll(const Repository& repository,
                                                        const std::vector<std::string>& patterns);
/// Returns the lines of the work tree's text files that match an extended regular expression, in
/// the form `path:line:text`.
base::Result<std::vector<std::string>> LinesMatching(const Repository& repository,
                                                     const std::string& pattern);

/// Returns the files under `folder` that exist in `from` and are changed or missing at `place`.
/// Omits files in which only the executable bit changed.
base::Result<std::vector<FileChange>> ChangesSince(const Repository& repository, const Place& place,
                                                   const Oid& from, const std::string& folder);

struct PathAttribute {
  std::string path, name, value;  ///< `value` is spelled as in the output of `git check-attr`
};
/// The `.gitattributes` files that AttributesOf reads.
struct AttributeSource {
  Place place;
  /// if set, these `.gitattributes` files replace the files in the commit
  std::optional<std::vector<TreeFile>> files = std::nullopt;
  bool users_files = true;  ///< true to also read the file that core.attributesFile names
};
/// Returns the values of the attributes `names` for each of `paths`, in order.
base::Result<std::vector<PathAttribute>> AttributesOf(const Repository& repository,
                                                      const AttributeSource& source,
                                                      const std::vector<std::string>& names,
                                                      const std::vector<std::string>& paths);

}  // namespace revctl::git
