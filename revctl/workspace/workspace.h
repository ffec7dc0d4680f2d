#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/file_lock.h"
#include "revctl/base/listener.h"
#include "revctl/base/replace_file.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"
#include "revctl/git/repository.h"
#include "revctl/ledger/ledger.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {

/// The remote of the team's server.
struct TeamRemote {
  std::string name;  ///< empty if the repository has no remote; then the ledger is local
  /// set if it is not configured here; only local operations work
  std::optional<base::Error> missing = std::nullopt;
};

/// A clone with its `.revctl.yaml`: repository, config, remote and paths. Commands own it.
class Workspace {
 public:
  /// Opens the repository and `.revctl.yaml` around `directory`. Fails with Exit::Environment
  /// without a repository, with Exit::Usage without a valid `.revctl.yaml`.
  static base::Result<Workspace> Open(const std::string& directory);
  /// Opens the workspace even without `.revctl.yaml`, as the repository's root with default
  /// settings and no lists, for commands that undo or repair.
  static base::Result<Workspace> OpenAnyway(const std::string& directory);

  git::Repository& repository() const { return *repository_; }
  /// The work tree, or a commit.
  Tree Here() const { return Tree::WorkTree(*repository_, prefix_); }
  Tree At(git::Oid commit) const { return Tree::Commit(*repository_, std::move(commit), prefix_); }
  const config::Config& config() const { return config_; }
  /// absolute path of the folder of .revctl.yaml
  const std::string& root() const { return root_; }
  const std::string& remote() const { return remote_.name; }
  const std::optional<base::Error>& remote_missing() const { return remote_.missing; }
  /// Returns "origin/main" or "main", for messages.
  std::string TargetLabel() const;
  /// Returns the inputs for finding releases, with the target as last fetched or the given one.
  base::Result<ReleaseQuestion> Releases() const;
  ReleaseQuestion Releases(std::optional<git::Oid> target) const;
  /// Returns Exit::Findings if HEAD is on a release. The fix offers `command` on the target.
  base::Result<base::Done> RefuseOnRelease(const ReleaseQuestion& releases,
                                           const std::string& command) const;

  /// Returns the lists that `wanted`, the value of `--list`, selects by name or path; "": all.
  base::Result<std::vector<const list::ListConfig*>> Lists(const std::string& wanted) const;
  /// Returns the selected list; fails if there are several.
  base::Result<const list::ListConfig*> OneList(const std::string& wanted) const;

  std::string FilePath(const std::string& path) const { return root_ + "/" + path; }  ///< absolute
  std::string GitPath(const std::string& path) const {
    return prefix_ + path;
  }  ///< relative to the repository's root
  /// Reads the work tree's list. Fails if it is missing, unreadable, or a link out of the
  /// repository.
  base::Result<std::string> ReadList(const list::ListConfig& list) const;
  /// Parses the work tree's list together with its pending files.
  base::Result<list::RevisionList> ParseWorking(const list::ListConfig& list) const;
  /// Parses the work tree's list without pending files, for commands that edit the list.
  base::Result<list::RevisionList> ParseListAlone(const list::ListConfig& list) const;
  base::Result<base::Done> WriteList(const list::ListConfig& list, const std::string& text) const;
  /// Makes all readers of the list see `text`, which a dry run would have written.
  void Preview(const list::ListConfig& list, std::string text) {
    previews_[list.path] = std::move(text);
  }
  /// Checks that WriteList will be able to write the list. Call it before changing the ledger.
  base::Result<base::Done> ProbeList(const list::ListConfig& list) const {
    return base::ProbeReplace(FilePath(list.path));
  }

  /// Takes the lock that a command holds from reading a list to writing it, so that two commands in
  /// one work tree do not overwrite each other's change. Waits if another command has it.
  base::Result<base::FileLock> LockLists(const base::Listener& listener) const;
  std::string LockPath() const;
  /// Environment variable that passes the path of a held lock to child processes.
  static constexpr const char* kHeldLock = "REVCTL_HOLDS_LOCK";

  /// During Ledger::Commit, `listener` is notified if others reserve at the same time.
  ledger::Ledger OpenLedger(const base::Listener& listener = {}) const;
  bool NeedsLedger() const;
  /// Fetches the ledger and the target.
  base::Result<ledger::Snapshot> Fetched(const base::Listener& listener,
                                         bool may_be_missing = false) const;
  /// Returns the progress text for a request to the remote.
  std::string Asked(const std::string& what) const {
    return (remote_.name.empty() ? "the ledger" : remote_.name) + " is asked " + what;
  }
  /// Returns the ledger and the target as last fetched, for commands that contact no server. Warns
  /// if the remote is not configured, because the copy will never be updated.
  base::Result<ledger::Snapshot> LastSeen(const base::Listener& listener) const;
  /// Returns `seen`, and warns about a ledger with an invalid tip, with the fix.
  static base::Result<ledger::Snapshot> ReportSkipped(base::Result<ledger::Snapshot> seen,
                                                      const base::Listener& listener);

 private:
  static base::Result<Workspace> Open(const std::string& around, bool without_config);

  std::unique_ptr<git::Repository> repository_;
  config::Config config_;
  std::string root_, prefix_;
  TeamRemote remote_;
  std::map<std::string, std::string> previews_;  ///< by path of the list
};

/// Returns the nearest folder with `.revctl.yaml`, from `directory` up to `top` (empty: the file
/// system's root).
std::optional<std::string> FindConfigFolder(const std::string& directory, const std::string& top);
/// Reads and validates the config in `folder`; nullopt if there is none.
base::Result<std::optional<config::Config>> ReadConfig(const std::string& folder);
/// Returns the lists of `config` that `wanted` selects by name or path; all lists if it is empty.
/// They belong to `config`.
base::Result<std::vector<const list::ListConfig*>> ListsNamed(const config::Config& config,
                                                              const std::string& wanted);
/// Returns the remote of `git config revctl.remote`, else `wanted`. The name is empty if the
/// repository has no remote and `named` is false.
base::Result<TeamRemote> ResolveRemote(const git::Repository& repository, const std::string& wanted,
                                       bool named);
base::Result<std::string> AbsoluteFolder(const std::string& directory);

}  // namespace revctl::commands
