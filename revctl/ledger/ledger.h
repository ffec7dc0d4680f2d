#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>
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

/// Each clone keeps a copy of a remote's ledger in refs/revctl/remotes/REMOTE/ledger.
inline constexpr std::string_view kCopiesOfLedgers = "refs/revctl/remotes/";
inline constexpr std::string_view kCopyOfLedger = "/ledger";

struct Settings {
  std::string remote;  ///< name of the remote; empty if the ledger is a local ref
  /// Set if the remote is not configured in this clone. Operations that need the remote return this
  /// Error, but the local copies can still be read.
  std::optional<base::Error> missing = std::nullopt;
  std::string ref = "refs/revctl/ledger";
  /// the required `ledger_id`; if empty, any ledger is accepted, and a missing ledger is created
  std::string id;
  std::string target = "main";
};

/// The state of the ledger and the target at the same moment.
struct Snapshot {
  std::optional<git::Oid> tip;     ///< the ledger's tip; nullopt if there is no ledger yet
  std::optional<git::Oid> target;  ///< tip of the target branch; nullopt if it does not exist
  State state;                     ///< empty if `tip` is nullopt
  /// Why the tip is invalid, and which commit is used instead; "" if the tip is valid. The next
  /// event or a repair makes the tip valid again.
  std::string skipped = {};
  /// Notice for the user if Commit has moved this clone's local ledger to the remote; otherwise "".
  std::string moved = {};
};

/// The event that a command wants to append, and the resulting state.
struct Change {
  State state;
  Event event;
};
/// Decides what to write on top of a snapshot. Returns nullopt if there is nothing to write. Must
/// not have side effects, because Commit calls it again after each lost race.
using Plan = std::function<base::Result<std::optional<Change>>(const Snapshot&)>;

/// An event and the commit that contains it.
struct Record {
  git::CommitInfo commit;
  Event event;
};

/// Calls `visit` with the events of a ledger whose newest commit is `tip`, newest first, until
/// `visit` returns false. Skips commits that are not events.
base::Result<base::Done> EachEvent(const git::Repository& repository, std::optional<git::Oid> tip,
                                   const std::function<bool(const Record&)>& visit);

/// The team's ledger as seen by one clone. Every write is a compare-and-swap of one ref, so if two
/// processes race for a number, one wins and the other has to plan again. Does not own the
/// repository.
class Ledger {
 public:
  using Progress = std::function<void(const std::string&)>;
  Ledger(git::Repository& repository, Settings settings, Progress progress = {});

  bool HasRemote() const { return !settings_.remote.empty(); }
  /// Returns the ref of the local copy, or of the ledger itself if there is no remote.
  std::string CacheRef() const;
  /// Returns the local ref that points to the tip of the target.
  std::string TargetRef() const;

  /// Reads the local copies of the ledger and the target, without network access.
  base::Result<Snapshot> Cached() const;
  /// Fetches the target and the ledger. Returns an Error if the ledger has a different id or does
  /// not descend from the local copy. Also returns an Error if `id` is set and the ledger is
  /// missing, unless `may_be_missing`.
  base::Result<Snapshot> Refresh(bool may_be_missing = false);
  /// Calls `plan` and pushes until the push wins or the remote rejects it. The first push trusts
  /// the local copies, and each later attempt fetches first. The remote rejects a push if the
  /// ledger or the target has moved since it was read. Gives up after 60 s and 20 lost races
  /// (Exit::LostRace). Returns the snapshot after the write. If the clone started its own ledger
  /// before it had the remote, moves that ledger to the remote first.
  base::Result<Snapshot> Commit(const Plan& plan, bool may_create = false);

  /// Checks that this clone may write refs next to the ledger. On failure, the Error contains the
  /// remote's answer.
  base::Result<base::Done> Probe(const Snapshot& snapshot);

  /// Visits the events of the local copy, newest first, until `visit` returns false.
  base::Result<base::Done> History(const std::function<bool(const Record&)>& visit) const;

  /// Rebuilds a lost, rewritten or damaged ledger and pushes it with a lease. The sources are the
  /// remote's last valid commit, this clone's copy, and `known` (marks from the lists on branches).
  /// No mark decreases. Returns a sentence for the user. Does not overwrite a ref that is not a
  /// ledger. `known` lacks numbers that are in no list, so Repair fails if `known` is the only
  /// source, unless `from_lists_alone` is set.
  base::Result<std::string> Repair(const State& known, bool from_lists_alone);

  /// True if this clone has a local ledger with numbers that the remote's ledger lacked at the last
  /// fetch.
  base::Result<bool> HasUnmovedNumbers() const;
  /// Moves the local ledger to the remote, or adds its numbers to the remote's ledger. If two
  /// clones assigned the same number, the clone that moves its ledger first keeps the number, and
  /// the other clone's revision needs a new one. Returns a sentence for the user, or "" if there is
  /// nothing to move.
  base::Result<std::string> MoveToRemote();

 private:
  /// A ledger that this clone still keeps in a local ref, although the clone has a remote.
  struct LocalLedger {
    std::string ref;
    git::Oid tip;
  };
  base::Result<std::optional<LocalLedger>> FindLocal() const;
  base::Result<base::Done> Forget(const LocalLedger& local);
  std::string LeftBehind(const State& own, const State& state) const;
  base::Result<Snapshot> CommitToRemote(const Plan& plan, bool may_create);
  base::Result<Snapshot> Read(std::optional<git::Oid> tip, std::optional<git::Oid> target) const;
  base::Result<Snapshot> RefreshSlowly(bool may_be_missing);
  base::Result<base::Done> FetchLedger(const git::Oid& remote_tip);
  /// Fetches the remote's ledger without changing the local copy. Returns the fetched tip.
  base::Result<git::Oid> FetchAside() const;
  base::Result<Snapshot> Written(const git::Oid& written, const Snapshot& before) const;
  base::Result<Snapshot> CommitLocally(const Plan& plan);
  base::Result<git::Oid> Write(const Snapshot& snapshot, const Change& change);
  base::Result<git::Oid> Write(const Snapshot& snapshot, const Change& change,
                               const git::Person& who);
  /// A commit that is ready to be pushed. Its ancestors may include new commits that answer
  /// requests.
  struct Prepared {
    Snapshot before;
    git::Oid commit;
    std::vector<git::RefAt> answered;  ///< the answered requests, which the push deletes
  };

  /// The state of one CommitUntilWon() call.
  struct Race {
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    std::int64_t begin_seconds = std::time(nullptr);  ///< in seconds since 1970
    int attempts = 0;
    int lost = 0;     ///< rejected pushes
    int unmoved = 0;  ///< rejected pushes in a row after which neither ledger nor target had moved
    /// True if the next fetch is the last one. That fetch shows whether the last push succeeded
    /// even though its answer was lost.
    bool is_time_over = false;
    bool target_must_stay = true;           ///< false if the server may not support atomic pushes
    bool may_ask = false;                   ///< true if this call may still leave a request
    bool may_answer = false;                ///< false if the server may forbid deleting requests
    std::vector<git::RefAt> requests = {};  ///< requests from the last fetch
    std::optional<git::RefAt> asked = std::nullopt;   ///< own request that may be on the server
    std::optional<Prepared> rejected = std::nullopt;  ///< the last push
    git::PushReport refusal = {};                     ///< the server's answer to that push
  };
  base::Result<Snapshot> CommitUntilWon(const Plan& plan, bool may_create, Race& race);
  /// Fetches the ledger and the target. After a rejected push, also fetches the requests, and notes
  /// whether another clone has answered this call's own request.
  base::Result<Snapshot> FetchForPush(bool may_create, Race& race);
  /// True if the fetched ledger contains the pushed commit. A push that seems to have failed may
  /// have succeeded if only the server's answer was lost.
  base::Result<bool> HasLanded(const Prepared& pushed, const Snapshot& now) const;
  /// Decides how to retry, depending on why the last push was rejected. Returns an Error if it is
  /// pointless to push again or if the time is up.
  base::Result<base::Done> DecideHowToRetry(const Snapshot& now, Race& race) const;
  /// If many clones are reserving, leaves the change as a request for the next clone whose push
  /// wins. Returns true if the server accepted the request.
  base::Result<bool> AskTheWinner(const Snapshot& now, const Change& change, Race& race);
  /// Pushes once. Returns the new snapshot, or nullopt after a rejection, which it records in
  /// `race`.
  base::Result<std::optional<Snapshot>> PushOnce(Prepared prepared, Race& race);

  // If many clones reserve at the same time, a clone that has lost the race leaves its reservation
  // as a request, which is a ref next to the ledger (waiting.cpp). The next push that wins answers
  // all requests.

  /// True if clones can leave requests, which requires a ledger outside refs/heads/.
  bool TakesRequests() const;
  /// Pushes a request for the change. Returns nullopt if the change is not a reservation, or if the
  /// server rejects the request.
  base::Result<std::optional<git::RefAt>> LeaveRequest(const Change& change);
  base::Result<Snapshot> RefreshWithRequests(bool may_be_missing,
                                             std::vector<git::RefAt>& requests);
  /// Appends an event for each request to the prepared commit.
  base::Result<Prepared> WithAnswers(Prepared prepared, const std::vector<git::RefAt>& requests);
  /// True if another clone has written an event since `begin` (in seconds since 1970), which means
  /// that other people are reserving right now.
  bool IsCrowded(const Snapshot& before, const Snapshot& now, std::int64_t begin) const;

  std::optional<Prepared> PrepareOnLastSeen(const Plan& plan);
  base::Result<git::PushReport> Push(const Prepared& prepared, bool target_must_stay) const;
  /// Returns the error for a remote or a repository that has no ledger. `has_seen` is true if this
  /// clone has fetched the ledger before.
  base::Error Missing(bool has_seen) const;
  /// Returns an Error if this clone once had a remote with a ledger but now has no remote, because
  /// a new ledger would reassign the same numbers.
  base::Result<base::Done> NothingForgotten() const;
  /// Returns the suggested fix if the remote is configured as a mirror, or "" otherwise.
  std::string MirrorFix() const;
  /// Returns the error for a rejected push to `ref`, which is the ledger or a ref next to it. The
  /// fix depends on whether the remote is a mirror and whether it accepts only branches.
  base::Error RejectedLedger(const std::string& ref, const git::PushReport& refusal,
                             bool needs_branch) const;
  /// Returns the error for a push that the server rejected although the ledger has not moved.
  base::Error Refused(const Snapshot& snapshot, const git::PushReport& refusal) const;

  git::Repository& repository_;
  Settings settings_;
  Progress progress_;
};

}  // namespace revctl::ledger
