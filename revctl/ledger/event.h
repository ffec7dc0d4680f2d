#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::ledger {

/// One revision's part in an event.
struct Step {
  std::string name;
  std::int64_t number = 0;
  std::optional<std::int64_t> previous;  ///< of a renumbering
};

/// One commit of the ledger's chain: what happened, as its message says it.
///
///     reserve main SR_BOSS_PHASE 667
///
///     Comment: the boss has phases
///     Nonce: 5d1c...
struct Event {
  enum class Kind { Create, Reserve, Release, Renumber, Confirm, TakeOver };
  Kind kind = Kind::Reserve;
  std::string list;
  std::vector<Step> steps;
  std::string comment;
};

std::string_view KindName(Event::Kind kind);

/// The commit message. The nonce keeps two people's equal events from being one commit, which both
/// would believe to have won.
std::string FormatEvent(const Event& event, const std::string& nonce);
/// nullopt: not an event of revctl's.
std::optional<Event> ParseEvent(const std::string& message);

/// `digits` random hex digits, from the system's source of randomness.
std::string RandomHex(int digits);

}  // namespace revctl::ledger
