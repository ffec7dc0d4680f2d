#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// What crosses the network. Each call runs the user's own git once; a remote is always the name of
/// a configured one.

struct Refspec {
  std::string source, destination;
  bool force = false;  ///< may the destination move to what does not descend from it?
};

struct FetchReport {
  bool ok = false;
  std::string talk;  ///< what git said where it is not
};
base::Result<FetchReport> Fetch(const Repository& repository, const std::string& remote,
                                const std::vector<Refspec>& refs,
                                const std::vector<std::string>& options = {});

/// No server answered, and `said` is git's word for it.
base::Error Unreachable(const std::string& remote, const std::string& said);

/// Name to commit of those of `refs` that the remote has. Exit::Environment where it cannot be
/// reached.
base::Result<std::map<std::string, Oid>> ListRemote(const Repository& repository,
                                                    const std::string& remote,
                                                    const std::vector<std::string>& refs);

/// The branch that the remote's HEAD is on; nullopt: it is on none, or the server does not say.
base::Result<std::optional<std::string>> HeadOfRemote(const Repository& repository,
                                                      const std::string& remote);

struct PushReport {
  bool accepted = false;
  std::string reason;  ///< the remote's word from `--porcelain`, e.g. "pre-receive hook declined";
                       ///< empty where it said none
  std::string talk;    ///< stderr, for a person
};
/// Moves `ref` at the remote from `old` (nullopt: it must not exist) to `id`. No hook of the user's
/// runs.
base::Result<PushReport> PushWithLease(const Repository& repository, const std::string& remote,
                                       const std::string& ref, const Oid& id,
                                       const std::optional<Oid>& old);
/// Moves `ref` at the remote to `id` as the user's own push does, hooks included. Without a lease
/// only forward; with one also elsewhere, where it still is at `lease`.
base::Result<PushReport> PushBranch(const Repository& repository, const std::string& remote,
                                    const std::string& ref, const Oid& id,
                                    const std::optional<Oid>& lease);
/// When who keeps losing a race is told to come back: after a minute and twenty attempts, since on
/// a slow server a minute holds only few; and after `longest` whatever happens. REVCTL_PATIENCE, in
/// seconds, takes the minute's place, and a third of it that of the attempts.
bool IsRaceLost(std::chrono::steady_clock::duration spent, int attempts,
                std::chrono::seconds longest);
/// Is `reason` one after which trying again can help? Anything else is a refusal.
bool IsRace(const std::string& reason);
/// Takes `ref` away at the remote, where it still is at `old`.
base::Result<PushReport> DeleteWithLease(const Repository& repository, const std::string& remote,
                                         const std::string& ref, const Oid& old);

}  // namespace revctl::git
