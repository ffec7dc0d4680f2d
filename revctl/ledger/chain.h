#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/git/repository.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// How far one event, or one push, may raise a high-water mark. Dates such as 20261127 are possible
/// numbers behind 25, but no push can use up all numbers.
inline constexpr std::int64_t kLargestJump = std::int64_t{1} << 26;

/// True if `mark` is more than kLargestJump above `before`. A list without a mark may begin
/// anywhere that leaves kLargestJump numbers.
bool TooFar(std::int64_t mark, const std::optional<std::int64_t>& before);

/// The first list whose mark is too far above that of `before`, as the end of a sentence; nullopt
/// if there is none.
std::optional<std::string> JumpsTooFar(const State& before, const State& after);

/// Why a commit with the tree `after` must not follow `before`, as the end of a sentence; nullopt
/// if it may. The rules are the same for the server's hook and for every reader:
///
/// - The id stays, and no high-water mark goes back or jumps too far.
/// - A reservation is new, or has another number, only above the mark of `before`.
/// - The event names each new or changed reservation, except that a `create` opens any new ones.
/// - Only a take-over moves a reservation to another person, and it keeps the number.
///
/// A reservation may disappear and a mark may rise without being named, because revisions land.
std::optional<std::string> Contradiction(const State& before, const Event& event,
                                         const State& after);

/// Replays commits, oldest first, and skips each one that is unreadable or contradicts its event.
/// So a broken commit on the ledger stops nobody.
class Chain {
 public:
  /// `id`: the ledger's, empty for any. Without `before` the first readable commit is believed.
  explicit Chain(std::string id = "", std::optional<State> before = std::nullopt);

  /// Returns why the commit is skipped; nullopt if it counts. A skipped commit that can be read
  /// still raises the marks, because somebody may use the numbers that it gave.
  std::optional<base::Error> Add(const git::Oid& commit, const std::optional<Event>& event,
                                 const base::Result<State>& state);

  /// The state after the commits so far; nullopt if none counts.
  const std::optional<State>& state() const { return state_; }
  /// The last commit that counts.
  const git::Oid& last() const { return last_; }

 private:
  std::string id_;
  std::optional<State> state_;
  git::Oid last_;
};

/// The state in the tree of `commit`, or an Error if revctl did not write that tree.
base::Result<State> ReadState(const git::Repository& repository, const git::Oid& commit);

struct ValidState {
  State state;
  /// Why the tip does not count, and which commit does instead; empty if the tip counts.
  std::string skipped = {};
  /// Set if a newer revctl wrote a commit after the last valid one.
  std::optional<base::Error> newer = std::nullopt;
};

/// Returns the state at the last valid commit of the chain that ends at `tip`. Replays the newest
/// 16 commits, and more of them only while the tip does not count. An Error if no commit counts.
/// `id`: the ledger's, empty for any.
base::Result<ValidState> ReadLastValid(const git::Repository& repository, const git::Oid& tip,
                                       const std::string& id = "");

}  // namespace revctl::ledger
