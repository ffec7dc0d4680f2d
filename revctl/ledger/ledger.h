#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/git/remote.h"
#include "revctl/git/repository.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// Copies of remotes' ledgers: refs/revctl/remotes/REMOTE/ledger.
inline constexpr std::string_view kCopiesOfLedgers = "refs/revctl/remotes/";
inline constexpr std::string_view kCopyOfLedger = "/ledger";

struct Settings {
  std::string remote;  ///< name of the remote; empty: no remote, the ledger is the local ref
  /// Why that remote cannot be asked: it is not configured here. What needs it gives this; the
  /// local copies serve all the same.
  std::optional<base::Error> missing = std::nullopt;
  std::string ref = "refs/revctl/ledger";
  std::string id;  ///< ledger_id; empty: any ledger is taken, a missing one is begun
  std::string target = "main";
};

/// The ledger and the target at one moment.
struct Snapshot {
  std::optional<git::Oid> tip;     ///< of the ledger; nullopt: there is none yet
  std::optional<git::Oid> target;  ///< tip of the target branch; nullopt: it does not exist
  State state;                     ///< empty if there is no tip
  /// Why the tip does not count, and what does instead; empty if it counts. The next event fixes
  /// that, and so does a repair.
  std::string skipped = {};
};

/// What a command wants to write, decided anew on each snapshot; nullopt: nothing to write.
struct Change {
  State state;
  Event event;
};
using Plan = std::function<base::Result<std::optional<Change>>(const Snapshot&)>;

/// One event of the chain, newest first.
struct Record {
  git::CommitInfo commit;
  Event event;
};

/// The team's ledger (design section 5). Everything that may be lost in a race is decided by
/// compare-and-swap of one ref.
class Ledger {
 public:
  using Progress = std::function<void(const std::string&)>;
  Ledger(git::Repository& repository, Settings settings, Progress progress = {});

  bool HasRemote() const { return !settings_.remote.empty(); }
  /// Where the local copy is: of a remote's ledger a ref of its own, else the ledger itself.
  std::string CacheRef() const;
  /// Where the target's tip is known locally.
  std::string TargetRef() const;

  /// The local copies; no network.
  base::Result<Snapshot> Cached() const;
  /// One fetch of target and ledger (fetch.cpp). An Error if the ledger has another id or does not
  /// descend from the local copy, or if it is missing although `id` names one, unless it
  /// `may_be_missing`.
  base::Result<Snapshot> Refresh(bool may_be_missing = false);
  /// Fetch, plan, push, until it is won, refused, or lost for 60 s and twenty attempts
  /// (Exit::LostRace). Gives the snapshot that holds now.
  base::Result<Snapshot> Commit(const Plan& plan, bool may_create = false);

  /// May refs be written where the ledger is? An Error says what the remote said, and the mend.
  /// Leaves nothing behind.
  base::Result<base::Done> Probe(const Snapshot& snapshot);

  /// Walks the chain from the local copy's tip, newest first, until `visit` says false.
  base::Result<base::Done> History(const std::function<bool(const Record&)>& visit) const;

  /// Rebuilds a lost, rewritten or damaged ledger from the remote's last valid commit, this clone's
  /// copy and `known` (marks from the lists on branches), and pushes it with a lease. No mark goes
  /// back. Returns a sentence for the user. A ref that holds anything but a ledger is not
  /// overwritten.
  base::Result<std::string> Repair(const State& known);

 private:
  base::Result<Snapshot> Read(std::optional<git::Oid> tip, std::optional<git::Oid> target) const;
  base::Result<Snapshot> RefreshSlowly(bool may_be_missing);
  base::Result<base::Done> FetchLedger(const git::Oid& remote_tip);
  /// Fetches the remote's ledger, but leaves the local copy alone. Returns its tip.
  base::Result<git::Oid> FetchAside() const;
  base::Result<Snapshot> Written(const git::Oid& written, const Snapshot& before) const;
  base::Result<Snapshot> CommitLocally(const Plan& plan);
  base::Result<git::Oid> Write(const Snapshot& snapshot, const Change& change);
  base::Error Missing() const;
  /// An Error if this clone had a remote with a ledger and now has no remote: a ledger of its own
  /// would give numbers twice.
  base::Result<base::Done> NothingForgotten() const;
  /// The fix for a remote that is configured as a mirror; empty for any other.
  std::string MirrorFix() const;
  base::Error Refused(const Snapshot& snapshot, const git::PushReport& refusal) const;
  void Pause(int attempt, std::chrono::steady_clock::duration took) const;

  git::Repository& repository_;
  Settings settings_;
  Progress progress_;
};

}  // namespace revctl::ledger
