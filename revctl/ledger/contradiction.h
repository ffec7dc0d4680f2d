#pragma once
#include <cstdint>
#include <functional>
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

/// Is `number` too far from what was there for anybody to have meant it? `known`: the highest
/// number so far, if there is any. It would be the last that a list can have.
bool TooFar(std::int64_t number, const std::optional<std::int64_t>& known);

/// What `after` does that `event` does not say, or that no event may do; nullopt where it is
/// `before` with the event. `restored`: the event is one of a chain that is brought back, and so is
/// older than the target is now.
std::optional<std::string> Contradiction(
    const State& before, const Event& event, const State& after,
    const std::function<TargetList(const std::string& list)>& target, bool restored = false);

}  // namespace revctl::ledger
