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

/// What `after` does that `event` does not say, or that no event may do; nullopt where it is `before` with the event.
std::optional<std::string> Contradiction(const State& before, const Event& event, const State& after,
                                         const std::function<TargetList(const std::string& list)>& target);

}  // namespace revctl::ledger
