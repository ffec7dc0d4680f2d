#pragma once
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/repair/repair_goldens.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The files that one run of `fix` changes. A dry run writes nothing, but code that reads lists
/// through `workspace` still sees the changes.
class ChangeSet {
 public:
  /// `workspace` must outlive the ChangeSet.
  ChangeSet(Workspace& workspace, bool dry_run) : workspace_(workspace), dry_run_(dry_run) {}

  Workspace& workspace() const { return workspace_; }
  bool dry_run() const { return dry_run_; }
  bool empty() const { return changes_.empty(); }

  base::Result<base::Done> WriteList(const list::ListConfig& list, const std::string& text);
  /// Writes the file, or removes it if the text is nullopt. `path` is relative to the folder of
  /// `.revctl.yaml`.
  base::Result<base::Done> WriteFile(const std::string& path,
                                     const std::optional<std::string>& text);
  /// Records a change that the caller has already made or, in a dry run, would have made.
  void Add(FileChange change);

  /// Returns the changed paths, relative to the repository's root, in the order of their first
  /// change.
  std::vector<std::string> Paths() const;
  /// Returns all changes as one patch for `git apply`.
  base::Result<std::string> Diff() const;

 private:
  Workspace& workspace_;
  bool dry_run_;
  std::vector<FileChange> changes_;
};

}  // namespace revctl::commands
