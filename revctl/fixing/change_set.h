#pragma once
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/repair/file_change.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The files that one run of `fix` changes. A dry run writes nothing, but readers of `workspace`
/// see the lists that it would have written.
class ChangeSet {
 public:
  /// `workspace` must outlive the ChangeSet.
  ChangeSet(Workspace& workspace, bool dry_run) : workspace_(workspace), dry_run_(dry_run) {}

  Workspace& workspace() const { return workspace_; }
  bool dry_run() const { return dry_run_; }
  bool empty() const { return changes_.empty(); }

  base::Result<base::Done> WriteList(const list::ListConfig& list, const std::string& text);
  /// Writes or removes (nullopt) a file. `path` is relative to the folder of `.revctl.yaml`.
  base::Result<base::Done> WriteFile(const std::string& path,
                                     const std::optional<std::string>& text);
  /// Adds a change that the caller has made, or has left out because this is a dry run.
  void Add(FileChange change);

  /// Returns the paths from the repository's root, in the order of the first change.
  std::vector<std::string> Paths() const;
  /// Returns all changes as one patch for `git apply`.
  base::Result<std::string> Diff() const;

 private:
  Workspace& workspace_;
  bool dry_run_;
  std::vector<FileChange> changes_;
};

}  // namespace revctl::commands
