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

/// The remote that points to the team's server.
struct TeamRemote {
  std::string name;  ///< empty if the repository has no remote; the ledger is then local
  /// set if this clone does not have the remote, so that only local operations work
  std::optional<base::Error> missing = std::nullopt;
};

/// A clone with its `.revctl.yaml`: the repository, the config, the remote and the paths. Each
/// command owns its Workspace.
class Workspace {
 public:
  /// Opens the repository that contains `directory` and its nearest `.revctl.yaml`. Fails with
  /// Exit::Environment if there is no repository, and with Exit::Usage if there is no valid
  /// `.revctl.yaml`.
  static base::Result<Workspace> Open(const std::string& directory);
  /// Opens the workspace for commands that undo or repair something. If there is no `.revctl.yaml`,
  /// uses the repository's root with default settings and no lists.
  static base::Result<Workspace> OpenAnyway(const std::string& directory);

  git::Repository& repository() const { return *repository_; }
  /// Gives access to the files of the work tree, as At() does for those of a commit.
  Tree Here() const { return Tree::WorkTree(*repository_, prefix_); }
  Tree At(git::Oid commit) const { return Tree::Commit(*repository_, std::move(commit), prefix_); }
  const config::Config& config() const { return config_; }
  /// Returns the absolute path of the folder that contains .revctl.yaml.
  const std::string& root() const { return root_; }
  const std::string& remote() const { return remote_.name; }
  const std::optional<base::Error>& remote_missing() const { return remote_.missing; }
  /// Returns the target's name for messages, such as "origin/main" or "main".
  std::string TargetLabel() const;
  /// Returns the inputs for finding releases, either with the given target or with the target as of
  /// the last fetch.
  base::Result<ReleaseQuestion> Releases() const;
  ReleaseQuestion Releases(std::optional<git::Oid> target) const;
  /// Fails with Exit::Findings if HEAD is on a release. The fix tells the user to run `command` on
  /// the target.
  base::Result<base::Done> RefuseOnRelease(const ReleaseQuestion& releases,
                                           const std::string& command) const;

  /// Returns the lists that `wanted`, the value of `--list`, selects by name or path. "" selects
  /// all lists.
  base::Result<std::vector<const list::ListConfig*>> Lists(const std::string& wanted) const;
  /// Returns the selected list. Fails if `wanted` selects more than one list.
  base::Result<const list::ListConfig*> OneList(const std::string& wanted) const;

  /// Returns the absolute path of a file, given its path relative to root().
  std::string FilePath(const std::string& path) const { return root_ + "/" + path; }
  /// Returns the path of a file relative to the repository's root, given its path relative to
  /// root().
  std::string GitPath(const std::string& path) const { return prefix_ + path; }
  /// Reads the work tree's list. Fails if the file is missing, unreadable, or a link that leads out
  /// of the repository.
  base::Result<std::string> ReadList(const list::ListConfig& list) const;
  /// Parses the work tree's list together with its pending files.
  base::Result<list::RevisionList> ParseWorking(const list::ListConfig& list) const;
  /// Parses the work tree's list without pending files, for commands that edit the list.
  base::Result<list::RevisionList> ParseListAlone(const list::ListConfig& list) const;
  base::Result<base::Done> WriteList(const list::ListConfig& list, const std::string& text) const;
  /// Makes all later reads of the list return `text`, as if a dry run had written it.
  void Preview(const list::ListConfig& list, std::string text) {
    previews_[list.path] = std::move(text);
  }
  /// Checks that WriteList will be able to write the list. Must be called before the ledger
  /// changes.
  base::Result<base::Done> ProbeList(const list::ListConfig& list) const {
    return base::ProbeReplace(FilePath(list.path));
  }

  /// Acquires the lock that a command holds while it reads and rewrites a list, so that two
  /// commands in one work tree do not overwrite each other's changes. Waits while another command
  /// holds the lock.
  base::Result<base::FileLock> LockLists(const base::Listener& listener) const;
  std::string LockPath() const;
  /// The environment variable that passes the path of a held lock to child processes.
  static constexpr const char* kHeldLock = "REVCTL_HOLDS_LOCK";

  /// Returns the ledger. During Ledger::Commit, `listener` is notified if other people are
  /// reserving numbers at the same time.
  ledger::Ledger OpenLedger(const base::Listener& listener = {}) const;
  bool NeedsLedger() const;
  /// Fetches the ledger and the target.
  base::Result<ledger::Snapshot> Fetched(const base::Listener& listener,
                                         bool may_be_missing = false) const;
  /// Returns the progress text for a request to the remote.
  std::string Asked(const std::string& what) const {
    return "asking " + (remote_.name.empty() ? "the ledger" : remote_.name) + " " + what;
  }
  /// Returns the ledger and the target as of the last fetch, for commands that do not contact a
  /// server. Warns if the remote is not configured, because the local copies are then never
  /// updated.
  base::Result<ledger::Snapshot> LastSeen(const base::Listener& listener) const;
  /// Returns `seen`. If the tip of the ledger is invalid, also warns about it and prints the fix.
  static base::Result<ledger::Snapshot> ReportSkipped(base::Result<ledger::Snapshot> seen,
                                                      const base::Listener& listener);

 private:
  static base::Result<Workspace> Open(const std::string& around, bool without_config);

  std::unique_ptr<git::Repository> repository_;
  config::Config config_;
  std::string root_, prefix_;
  TeamRemote remote_;
  std::map<std::string, std::string> previews_;  ///< the texts passed to Preview(), by path of the
                                                 ///< list
};

/// Returns the nearest folder with a `.revctl.yaml`, going up from `directory` to `top`, or to the
/// root of the file system if `top` is empty. Returns nullopt if there is none.
std::optional<std::string> FindConfigFolder(const std::string& directory, const std::string& top);
/// Reads and validates the config in `folder`. Returns nullopt if there is no config.
base::Result<std::optional<config::Config>> ReadConfig(const std::string& folder);
/// Returns the lists of `config` that `wanted` selects by name or path, or all lists if `wanted` is
/// empty. The pointers refer to `config`.
base::Result<std::vector<const list::ListConfig*>> ListsNamed(const config::Config& config,
                                                              const std::string& wanted);
/// Returns the remote named in `git config revctl.remote`, or `wanted` if that is not set. The name
/// is empty if the repository has no remote and `named` is false.
base::Result<TeamRemote> ResolveRemote(const git::Repository& repository, const std::string& wanted,
                                       bool named);
base::Result<std::string> AbsoluteFolder(const std::string& directory);

}  // namespace revctl::commands
