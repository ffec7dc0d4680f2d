#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"
#include "revctl/git/repository.h"
#include "revctl/ledger/ledger.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/session/session.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {

/// The remote of the team's server.
struct TeamRemote {
  std::string name;  ///< empty: the repository has none, and the ledger is its own
  std::optional<base::Error> missing =
      std::nullopt;  ///< it is named, and not configured here: only what is local works
};

/// The folder that holds `.revctl.yaml`, the repository around it, and what both say.
class Workspace {
 public:
  /// Exit::Environment without a repository, Exit::Usage without or with a bad `.revctl.yaml`.
  static base::Result<Workspace> Open(const Session& session);
  /// Likewise; without `.revctl.yaml` the repository's root with the defaults and no list, for
  /// commands that undo or repair.
  static base::Result<Workspace> OpenAnyway(const Session& session);

  git::Repository& repository() const { return *repository_; }
  const config::Config& config() const { return config_; }
  const std::string& root() const { return root_; }  ///< absolute; the folder of .revctl.yaml
  /// Name of the team's remote; empty: the repository has none.
  const std::string& remote() const { return remote_.name; }
  const std::optional<base::Error>& remote_missing() const { return remote_.missing; }
  /// "origin/main" or "main", for messages.
  std::string TargetLabel() const;
  /// Where releases are looked for: by the last fetch, unless a newer `target` is given.
  base::Result<ReleaseQuestion> Releases() const;
  ReleaseQuestion Releases(std::optional<git::Oid> target) const;
  /// Exit::Findings on a release, with the two ways out: `command` on the target, or no revision.
  base::Result<base::Done> RefuseOnRelease(const ReleaseQuestion& releases,
                                           const std::string& command) const;

  /// The lists that `--list` picks (a name or a path): all of them without it.
  base::Result<std::vector<const list::ListConfig*>> Lists(const Session& session) const;
  /// For commands that need exactly one.
  base::Result<const list::ListConfig*> OneList(const Session& session) const;

  std::string FilePath(const std::string& path) const { return root_ + "/" + path; }  ///< absolute
  std::string GitPath(const std::string& path) const {
    return prefix_ + path;
  }  ///< from the repository's root
  /// The work tree's list; an Error where it is missing, leaves the repository by a link, or cannot
  /// be read.
  base::Result<std::string> ReadList(const list::ListConfig& list) const;
  /// That, evaluated, with the pending revisions that stand in files of their own.
  base::Result<list::RevisionList> ParseWorking(const list::ListConfig& list) const;
  /// Without them: for commands that edit the list.
  base::Result<list::RevisionList> ParseListAlone(const list::ListConfig& list) const;
  /// The list at a commit (list_at.h), without pending files; nullopt: the commit has none. How it
  /// is read is `list`'s.
  base::Result<std::optional<list::RevisionList>> ParseAt(const git::Oid& commit,
                                                          const list::ListConfig& list) const;
  base::Result<base::Done> WriteList(const list::ListConfig& list, const std::string& text) const;
  /// Asked before the ledger is moved for a list: could WriteList write it?
  base::Result<base::Done> ProbeList(const list::ListConfig& list) const {
    return base::ProbeReplace(FilePath(list.path));
  }

  /// Held by a command from the reading of a list to its writing, so that two of them in one work
  /// tree do not undo each other.
  base::Result<base::FileLock> LockLists(Session& session) const;
  std::string LockPath() const;
  /// The variable by which a command that this process waits for knows the lock that it holds.
  static constexpr const char* kHeldLock = "REVCTL_HOLDS_LOCK";

  ledger::Ledger OpenLedger(Session& session) const;
  ledger::Ledger OpenLedger(ledger::Ledger::Progress progress) const;
  /// A list takes its numbers from the ledger. Where none does, a fork without one is whole.
  bool NeedsLedger() const;
  /// The ledger and the target as the server has them now; a terminal shows after a second
  /// what is waited for.
  base::Result<ledger::Snapshot> Fetched(ledger::Ledger& ledger, Session& session,
                                         bool may_be_missing = false) const;
  /// What a waiting terminal shows: `origin` and what it is asked.
  std::string Asked(const std::string& what) const {
    return (remote_.name.empty() ? "the ledger" : remote_.name) + " is asked " + what;
  }
  /// What the last fetch saw, for commands that ask no server. A remote that is missing here is
  /// said, since nothing will be new.
  base::Result<ledger::Snapshot> LastSeen(const ledger::Ledger& ledger, Session& session) const;
  /// Reports a ledger whose tip does not count, with the command that fixes it.
  static base::Result<ledger::Snapshot> ReportSkipped(base::Result<ledger::Snapshot> seen,
                                                      Session& session);

 private:
  static base::Result<Workspace> Open(const Session& session, bool without_config);

  std::unique_ptr<git::Repository> repository_;
  config::Config config_;
  std::string root_, prefix_;
  TeamRemote remote_;
};

/// The nearest folder with `.revctl.yaml`, from `directory` upwards, not above `top` (empty: the
/// file system's root).
std::optional<std::string> FindConfigFolder(const std::string& directory, const std::string& top);
/// The configuration in `folder`, checked; nullopt: there is none.
base::Result<std::optional<config::Config>> ReadConfig(const std::string& folder);
/// `git config revctl.remote`, else `wanted`. Without a name where the repository has no remote at
/// all and `named` names none.
base::Result<TeamRemote> ResolveRemote(const git::Repository& repository, const std::string& wanted,
                                       bool named);
/// `directory` made absolute; an Error where there is no such folder.
base::Result<std::string> AbsoluteFolder(const std::string& directory);

}  // namespace revctl::commands
