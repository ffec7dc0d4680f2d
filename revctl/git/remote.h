#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Network operations. Each runs the user's own git once. `remote` is the name of a configured
/// remote.

struct Refspec {
  std::string source, destination;
  bool force = false;  ///< true to allow an update that is not a fast-forward
};

/// How much history a fetch adds to a shallow clone. `option` is a git option; "" lets git decide.
struct FetchDepth {
  std::string option = {};
  static FetchDepth Exactly(int commits) { return {"--depth=" + std::to_string(commits)}; }
  static FetchDepth Deeper(int commits) { return {"--deepen=" + std::to_string(commits)}; }
  static FetchDepth All() { return {"--unshallow"}; }
};

struct FetchReport {
  bool ok = false;
  std::string talk;  ///< git's output on failure
};
base::Result<FetchReport> Fetch(const Repository& repository, const std::string& remote,
                                const std::vector<Refspec>& refs, const FetchDepth& depth = {});
/// Fetches the branches that the user's configuration specifies for the remote.
base::Result<FetchReport> FetchBranches(const Repository& repository, const std::string& remote);

/// Returns the error for an unreachable server. `said` is git's output.
base::Error Unreachable(const std::string& remote, const std::string& said);

/// Returns the refs in `refs` that exist on the remote, with their commits. Fails with
/// Exit::Environment if the remote cannot be reached.
base::Result<std::map<std::string, Oid>> ListRemote(const Repository& repository,
                                                    const std::string& remote,
                                                    const std::vector<std::string>& refs);

/// Returns the branch that the remote's HEAD points to, or nullopt if HEAD is detached or not
/// reported.
base::Result<std::optional<std::string>> HeadOfRemote(const Repository& repository,
                                                      const std::string& remote);

struct PushReport {
  bool accepted = false;
  /// The remote's reason for a rejection, from the `--porcelain` output, such as "pre-receive hook
  /// declined". May be empty.
  std::string reason;
  std::string talk;  ///< git's stderr, to be shown to the user
};
/// Moves `ref` on the remote from `old` (nullopt if it must not exist yet) to `id`. Does not run
/// the clone's hooks.
base::Result<PushReport> PushWithLease(const Repository& repository, const std::string& remote,
                                       const std::string& ref, const Oid& id,
                                       const std::optional<Oid>& old);
/// A ref on the remote, with its commit.
struct RefAt {
  std::string ref;
  Oid id;
};
/// Moves `ref` from `old` to its new commit, but only if the remote's `other` is still at the given
/// commit. `other` itself does not move. Deletes the refs in `deleted` in the same push. If any of
/// these refs has moved, nothing changes: git compares all leases with the refs that the server
/// advertises, and does not send refs that are up to date. A server without atomic pushes rejects
/// the push without a reason.
base::Result<PushReport> PushWhileOtherRefStays(const Repository& repository,
                                                const std::string& remote, const RefAt& ref,
                                                const std::optional<Oid>& old, const RefAt& other,
                                                const std::vector<RefAt>& deleted);
/// Moves `ref` on the remote to `id` in the same way as the user's own `git push`, including the
/// user's hooks. Without a lease, only fast-forwards are possible. With a lease, `ref` can move to
/// any commit, provided that it is still at `lease`.
base::Result<PushReport> PushBranch(const Repository& repository, const std::string& remote,
                                    const std::string& ref, const Oid& id,
                                    const std::optional<Oid>& lease);
/// True if a command that keeps losing the push race should give up: after one minute and at least
/// 20 attempts, because a slow server may allow only a few attempts per minute, but no later than
/// after `longest`. REVCTL_PATIENCE=N sets N seconds and N/3 attempts.
bool IsRaceLost(std::chrono::steady_clock::duration spent, int attempts,
                std::chrono::seconds longest);
/// True if a push that was rejected for `reason` may succeed if retried.
bool IsRace(const std::string& reason);
/// Waits before a push is retried. This is needed if IsRace() is true but the ref has not moved,
/// because another push may hold the ref's lock. After too many such `failures` in a row, returns
/// false without waiting, because the process that held the lock must have died.
bool WaitForLock(int failures);
/// Returns the error for a push to `ref` that `server` rejected. The message quotes git.
base::Error Rejected(const std::string& server, const std::string& ref, const PushReport& report,
                     std::string fix);
/// Returns the error for a ref that stays locked on the server. The message quotes git.
base::Error LockedOnServer(const std::string& remote, const std::string& ref,
                           const PushReport& report);
/// Deletes `ref` on the remote if it is still at `old`.
base::Result<PushReport> DeleteWithLease(const Repository& repository, const std::string& remote,
                                         const std::string& ref, const Oid& old);

}  // namespace revctl::git
