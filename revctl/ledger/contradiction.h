#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// What the target has of a list: reservations of landed names leave the ledger by themselves.
struct TargetList {
  std::function<bool(const std::string& name)> has;
  std::optional<std::int64_t> last;
};
using TargetLists = std::function<TargetList(const std::string& list)>;

/// How far a list's numbers may go.
struct Room {
  std::optional<std::int64_t> ledger;  ///< the highest number that the ledger had before
  std::optional<std::int64_t> landed;  ///< the highest one that the target (or a branch) has
  std::int64_t events = 0;             ///< how many revisions got a number since
};
/// Is `number` too far for that? Each revision may take the next one; beyond that, all numbers end
/// 2^24 behind what has landed. Many small jumps get no further than one large one.
bool TooFar(std::int64_t number, const Room& room);

/// What `after` does that `event` does not say, or that no event may do; nullopt where it is
/// `before` with the event. `restored`: the event is one of a chain that is brought back, and so is
/// older than the target is now.
std::optional<std::string> Contradiction(const State& before, const Event& event,
                                         const State& after, const TargetLists& target,
                                         bool restored = false);

/// A number of one list that `after` gives again, or lets be given again: its mark goes back, or
/// a new reservation is not above it. nullopt: none.
std::optional<std::string> GivesAgain(const std::string& name, const State& before,
                                      const State& after);

/// What a reader, who may not know what has landed, holds against a commit of the ledger that any
/// client may have written; nullopt: it follows from `before`. `event`: nullopt where its message
/// is none.
std::optional<std::string> Unsound(const State& before, const std::optional<Event>& event,
                                   const State& after);

/// Judges a push as a whole: where its numbers end. Events are added oldest first.
class PushedNumbers {
 public:
  explicit PushedNumbers(const State& before) : before_(before) {}
  void Add(const Event& event) {
    events_[event.list] += static_cast<std::int64_t>(event.steps.size());
  }
  /// What is wrong with `after`, the state behind the last event; nullopt: nothing.
  std::optional<std::string> Contradiction(const State& after, const TargetLists& target) const;

 private:
  State before_;
  std::map<std::string, std::int64_t> events_;
};

}  // namespace revctl::ledger
