#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "revctl/git/repository.h"

// Functions that write objects, the index, the work tree or HEAD. Paths are relative to the
// repository's root.
namespace revctl::git {

/// Stores a blob; `what` begins the error.
base::Result<Oid> StoreBlob(const Repository& repository, const std::string& text,
                            const std::string& what);
/// Stores the work tree's file as git would store it for `path`, after its filters.
base::Result<Oid> StoreFile(const Repository& repository, const std::string& path);

/// A file to change in a tree.
struct TreeChange {
  std::string path;
  std::optional<Oid> blob;  ///< nullopt deletes the file
  bool keep_mode = false;   ///< use the mode that the file has, instead of 100644
};
/// Stores the tree of `base` with the changes. Uses the index file `scratch`, which is removed.
base::Result<Oid> StoreTree(const Repository& repository, const Oid& base,
                            const std::vector<TreeChange>& changes, const std::string& scratch);
/// Stores a commit by the user, signed if commit.gpgsign is set.
base::Result<Oid> StoreCommit(const Repository& repository, const Oid& tree,
                              const std::vector<Oid>& parents, const std::string& message);

/// Stages and commits the current content of `paths` alone. Runs the user's hooks.
base::Result<base::Done> CommitFiles(const Repository& repository,
                                     const std::vector<std::string>& paths,
                                     const std::string& message, const std::string& failed);

/// The result and the output of git when it joined two histories. OperationIn() shows whether git
/// has stopped at a conflict.
struct JoinReport {
  bool ok = false;
  std::string talk;
};
/// Settings of one run, as KEY=VALUE.
using Overrides = std::vector<std::string>;
base::Result<JoinReport> Rebase(const Repository& repository, const Oid& onto,
                                const Overrides& overrides);
base::Result<JoinReport> Merge(const Repository& repository, const Oid& theirs,
                               const std::string& message, const Overrides& overrides);
/// Continues or aborts a "rebase" or "merge".
base::Result<JoinReport> ContinueOperation(const Repository& repository,
                                           const std::string& operation,
                                           const Overrides& overrides);
base::Result<base::Done> AbortOperation(const Repository& repository, const std::string& operation);

/// Returns the git operation in progress ("rebase", "merge", ...), or "" if there is none.
std::string OperationIn(const Repository& repository);

/// Points HEAD at a branch without touching files.
base::Result<base::Done> PointHeadAt(const Repository& repository, const std::string& branch);
/// `git reset --hard`: files and index become those of HEAD.
base::Result<base::Done> ResetFiles(const Repository& repository);
/// `git reset --keep`: moves the branch, and fails if that would overwrite uncommitted changes.
base::Result<base::Done> ResetBranch(const Repository& repository, const Oid& to,
                                     const std::string& failed);

/// Stashes the uncommitted changes without touching the work tree. Returns false if there are none.
base::Result<bool> StashCopy(const Repository& repository, const std::string& message);
/// Moves the changes and untracked files under `folders` to the stash.
base::Result<base::Done> StashFolders(const Repository& repository,
                                      const std::vector<std::string>& folders,
                                      const std::string& message);

/// Checks out a branch, or a commit with a detached HEAD.
base::Result<base::Done> CheckoutBranch(const Repository& repository, const std::string& branch);
base::Result<base::Done> CheckoutDetached(const Repository& repository, const Oid& commit);
/// Writes files of a commit to index and work tree.
base::Result<base::Done> CheckoutFiles(const Repository& repository, const Oid& commit,
                                       const std::vector<std::string>& paths);
enum class Side { Ours, Theirs };
/// Writes one side of an unmerged file to the work tree.
base::Result<base::Done> CheckoutSide(const Repository& repository, Side side,
                                      const std::string& path);
/// Makes files of index and work tree those of HEAD.
base::Result<base::Done> RestoreFiles(const Repository& repository,
                                      const std::vector<std::string>& paths);
/// Updates index and work tree from one commit to another like a checkout, without moving HEAD. The
/// error has only git's own text, for example about changes that would be lost.
base::Result<base::Done> UpdateWorkTree(const Repository& repository, const Oid& from,
                                        const Oid& to);

}  // namespace revctl::git
