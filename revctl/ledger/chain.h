#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/git/repository.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// The maximum by which an event or a push may raise a high-water mark. A list can switch from 25
/// to dates such as 20261127, but a push cannot use up all numbers.
inline constexpr std::int64_t kLargestJump = std::int64_t{1} << 26;

/// True if `mark` is more than kLargestJump above `before`. The first mark of a list may have any
/// value that leaves at least kLargestJump numbers.
bool TooFar(std::int64_t mark, const std::optional<std::int64_t>& before);

/// Returns the problem with the first list whose mark in `after` is too far above its mark in
/// `before`, or nullopt if there is none. The text is worded as the end of a sentence.
std::optional<std::string> JumpsTooFar(const State& before, const State& after);

/// Returns why a commit with the tree `after` must not follow `before`, worded as the end of a
/// sentence, or nullopt if it may. The server's hook and every reader apply the same rules:
///
/// - The id stays the same, and no high-water mark decreases or jumps too far.
/// - A new reservation, or a changed number, is above the mark in `before`.
/// - The event names each new or changed reservation, except that a `create` may add any.
/// - Only a take-over moves a reservation to a different person, and it keeps the number.
///
/// A reservation may disappear and a mark may rise without being named in the event, because
/// revisions land.
std::optional<std::string> ValidateEvent(const State& before, const Event& event,
                                         const State& after);

/// Adds the numbers in `other` to `state`, which is derived from `base`: raises marks, and adds
/// each reservation whose name and number are free and whose number is above the mark in `base`.
/// Ignores a list whose mark is too far above its mark in `base`, because readers would reject the
/// result. Used to move and repair ledgers.
void AddNumbersOf(const State& other, const State& base, State& state);

/// Replays commits, oldest first. Skips each commit that is unreadable or contradicts its event, so
/// that a broken commit does not stop the team's work.
class Chain {
 public:
  /// `id` is the ledger's id, or "" to accept any ledger. Without `before`, trusts the first
  /// readable commit.
  explicit Chain(std::string id = "", std::optional<State> before = std::nullopt);

  /// Adds a commit. Returns why the commit is skipped, or nullopt if it is valid. A skipped but
  /// readable commit still raises the high-water marks, because a person may already be using the
  /// numbers that it assigned.
  std::optional<base::Error> Add(const git::Oid& commit, const std::optional<Event>& event,
                                 const base::Result<State>& state);

  /// Returns the state after all commits so far, or nullopt if none of them is valid.
  const std::optional<State>& state() const { return state_; }
  /// Returns the last valid commit.
  const git::Oid& last() const { return last_; }

 private:
  std::string id_;
  std::optional<State> state_;
  git::Oid last_;
};

/// Returns the state in the tree of `commit`, or an Error if revctl did not write that tree.
base::Result<State> ReadState(const git::Repository& repository, const git::Oid& commit);

struct ValidState {
  State state;
  /// Why the tip is invalid, and which commit is used instead; "" if the tip is valid.
  std::string skipped = {};
  /// The error to report if a newer revctl wrote a commit after the last valid commit.
  std::optional<base::Error> newer = std::nullopt;
};

/// Returns the state at the last valid commit of the chain that ends at `tip`. Replays the newest
/// 16 commits (fewer, but at least two, if thousands of reservations are open), and older commits
/// only if the tip is invalid. Returns an Error if no commit is valid. `id` is the ledger's id, or
/// "" to accept any ledger.
base::Result<ValidState> ReadLastValid(const git::Repository& repository, const git::Oid& tip,
                                       const std::string& id = "");

}  // namespace revctl::ledger
