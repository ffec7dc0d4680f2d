#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

// Queries about commits. Paths are relative to the repository's root.
namespace revctl::git {

base::Result<Oid> TreeOf(const Repository& repository, const Oid& commit);

/// Returns the commits on the first-parent line of `tip` that are not reachable from `known`,
/// newest first, with their parents.
base::Result<std::vector<Repository::CommitParents>> FirstParentLine(const Repository& repository,
                                                                     const Oid& tip,
                                                                     const Oid& known);
/// Returns the commits of FirstParentLine() that change one of `paths`.
base::Result<std::vector<Oid>> FirstParentLineTouching(const Repository& repository, const Oid& tip,
                                                       const Oid& known,
                                                       const std::vector<std::string>& paths);

/// The commits that a query searches.
struct CommitRange {
  std::vector<Oid> tips;     ///< search these commits and their ancestors
  std::vector<Oid> without;  ///< skip these commits and their ancestors
  bool merges = true;
  bool branches = false;  ///< also start at the tips of all branches, including remote-tracking
                          ///< branches
  /// search only commits that change the number of occurrences of this string; "" for all commits
  std::string text = {};
};
/// Returns the commits that change one of `paths`, newest first. Includes commits on side branches
/// whose changes were discarded by a merge.
base::Result<std::vector<Oid>> CommitsChanging(const Repository& repository,
                                               const CommitRange& range,
                                               const std::vector<std::string>& paths);
/// Returns the newest commits that add or remove a line of `path` that matches the regular
/// expression `line`. Returns at most `most` commits, without merges, newest first.
base::Result<std::vector<Oid>> CommitsChangingLines(const Repository& repository, const Oid& tip,
                                                    const std::string& path,
                                                    const std::string& line, std::size_t most);
/// Returns the commits of all refs that change one of `paths`, including commits on side branches
/// whose changes were discarded by a merge. `what` names the history in the error message.
base::Result<std::vector<Oid>> AllCommitsTouching(const Repository& repository,
                                                  const std::vector<std::string>& paths,
                                                  const std::string& what);
/// Returns all paths that the file had in the history of `tip`, according to git's rename
/// detection.
base::Result<std::vector<std::string>> FormerPaths(const Repository& repository, const Oid& tip,
                                                   const std::string& path,
                                                   const std::string& what);

/// Returns a commit's patches against its first parent, without context lines. Each patch begins
/// with a NUL and the commit's id. Omits the files in `without`.
base::Result<std::string> PatchesOf(const Repository& repository, const Oid& commit,
                                    const std::vector<std::string>& without);
/// Returns the patches of the commits that are reachable from `tip` but not from `known`. Omits
/// merges.
base::Result<std::string> PatchesSince(const Repository& repository, const Oid& tip,
                                       const Oid& known, const std::vector<std::string>& without);

/// Returns the newest commit on the first-parent line from `known` to `tip` that deletes one of
/// `paths`; nullopt if there is none or git cannot determine it.
base::Result<std::optional<Oid>> LastCommitDeleting(const Repository& repository, const Oid& tip,
                                                    const Oid& known,
                                                    const std::vector<std::string>& paths);
/// Returns the files under `folder` that the commit deletes compared with its first parent.
base::Result<std::vector<std::string>> FilesDeletedBy(const Repository& repository,
                                                      const Oid& commit, const std::string& folder);
/// Returns the files that differ between two trees or commits, or nullopt if one of them is missing
/// from the repository.
base::Result<std::optional<std::vector<std::string>>> FilesBetween(const Repository& repository,
                                                                   const Oid& from, const Oid& to);
/// Returns the files that are in `to` but not in `from` and match the git glob `glob`.
base::Result<std::vector<std::string>> AddedFilesLike(const Repository& repository, const Oid& from,
                                                      const Oid& to, const std::string& glob);

/// The commit that last changed a line, and the commit and path of the file before that change.
struct Blamed {
  Oid commit, before;  ///< `before` is empty if the commit's parents lack the file
  std::string path_before;
};
/// Returns the commit that last changed the line, or nullopt if git cannot blame the line.
base::Result<std::optional<Blamed>> BlameLine(const Repository& repository, const Oid& tip,
                                              const std::string& path, int line);

/// True if the branch contained `commit` at some time, according to its reflog.
base::Result<bool> HasContained(const Repository& repository, const std::string& branch,
                                const Oid& commit);

/// Returns the files that would conflict if `ours` and `theirs` were merged. Returns an empty list
/// with git versions before 2.38, which cannot predict conflicts. `driver` is the KEY=VALUE setting
/// that configures the merge driver.
base::Result<std::vector<std::string>> PredictConflicts(const Repository& repository,
                                                        const std::string& driver, const Oid& ours,
                                                        const Oid& theirs);

}  // namespace revctl::git
