#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "revctl/git/repository.h"

// Functions that change objects, the index, the work tree or HEAD. Paths are relative to the
// repository's root.
namespace revctl::git {

/// Stores a blob and returns its id. An error message begins with `what`.
base::Result<Oid> StoreBlob(const Repository& repository, const std::string& text,
                            const std::string& what);
/// Stores the work tree's file at `path` as git would, that is, after applying filters.
base::Result<Oid> StoreFile(const Repository& repository, const std::string& path);

/// A file to change in a tree.
struct TreeChange {
  std::string path;
  std::optional<Oid> blob;  ///< nullopt deletes the file
  bool keep_mode = false;   ///< true to keep the file's current mode instead of setting 100644
};
/// Stores the tree of `base` with the changes applied, using a temporary index.
base::Result<Oid> StoreTree(const Repository& repository, const Oid& base,
                            const std::vector<TreeChange>& changes);
/// Stores a commit in the user's name. Signs it if commit.gpgsign is set.
base::Result<Oid> StoreCommit(const Repository& repository, const Oid& tree,
                              const std::vector<Oid>& parents, const std::string& message);

/// Stages and commits the current content of `paths`, and nothing else. The user's hooks run.
base::Result<base::Done> CommitFiles(const Repository& repository,
                                     const std::vector<std::string>& paths,
                                     const std::string& message, const std::string& failed);

/// The result and the output of a rebase or merge. If `ok` is false, call OperationIn() to find out
/// whether git stopped at a conflict.
struct JoinReport {
  bool ok = false;
  std::string talk;
};
/// Configuration for a single git command, as KEY=VALUE.
using Overrides = std::vector<std::string>;
base::Result<JoinReport> Rebase(const Repository& repository, const Oid& onto,
                                const Overrides& overrides);
base::Result<JoinReport> Merge(const Repository& repository, const Oid& theirs,
                               const std::string& message, const Overrides& overrides);
/// Continues the operation in progress, "rebase" or "merge". AbortOperation() aborts it.
base::Result<JoinReport> ContinueOperation(const Repository& repository,
                                           const std::string& operation,
                                           const Overrides& overrides);
base::Result<base::Done> AbortOperation(const Repository& repository, const std::string& operation);

/// Returns the git operation in progress ("rebase", "merge", ...), or "" if there is none.
std::string OperationIn(const Repository& repository);

/// Points HEAD at a branch, and resets the index and the tracked files to it (`git reset --hard`).
base::Result<base::Done> ResetToBranch(const Repository& repository, const std::string& branch);
/// Runs `git reset --keep`: moves the branch, but fails if that would overwrite uncommitted
/// changes.
base::Result<base::Done> ResetBranch(const Repository& repository, const Oid& to,
                                     const std::string& failed);

/// Adds a stash with the uncommitted changes, but keeps them in the work tree. Returns false if
/// there are no changes.
base::Result<bool> StashCopy(const Repository& repository, const std::string& message);
/// Moves the changes and untracked files under `folders` from the work tree to a stash.
base::Result<base::Done> StashFolders(const Repository& repository,
                                      const std::vector<std::string>& folders,
                                      const std::string& message);

/// Checks out a branch, or a commit with a detached HEAD.
base::Result<base::Done> Checkout(const Repository& repository, const std::string& what,
                                  bool detached);
/// Writes files of a commit to the index and the work tree.
base::Result<base::Done> CheckoutFiles(const Repository& repository, const Oid& commit,
                                       const std::vector<std::string>& paths);
enum class Side { Ours, Theirs };
/// Writes one side of an unmerged file to the work tree.
base::Result<base::Done> CheckoutSide(const Repository& repository, Side side,
                                      const std::string& path);
/// Restores files in the index and the work tree from HEAD.
base::Result<base::Done> RestoreFiles(const Repository& repository,
                                      const std::vector<std::string>& paths);
/// Updates the index and the work tree from the commit `from` to the commit `to`, as a checkout
/// does, but without moving HEAD. The error contains only git's own message, for example about
/// changes that would be lost.
base::Result<base::Done> UpdateWorkTree(const Repository& repository, const Oid& from,
                                        const Oid& to);

/// Returns the error for a local ref whose lock file was never removed.
base::Error LockedHere(const Repository& repository, const std::string& ref);

}  // namespace revctl::git
