#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::ledger {

/// The part of an event that concerns one revision.
struct Step {
  std::string name;
  std::int64_t number = 0;
  std::optional<std::int64_t> previous;  ///< the revision's number before a renumbering; otherwise
                                         ///< nullopt
};

/// The action of a ledger commit. The commit message looks like this:
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

/// Returns the commit message. Without the nonce, two people with equal events would create
/// identical commits, and both would believe that their push won.
std::string FormatEvent(const Event& event, const std::string& nonce);
/// Parses a commit message. Returns nullopt if revctl did not write it.
std::optional<Event> ParseEvent(const std::string& message);

/// Parses a decimal number. Returns nullopt if `text` is anything else.
std::optional<std::int64_t> Number(std::string_view text);

/// Returns `digits` random hex digits from the operating system.
std::string RandomHex(int digits);

}  // namespace revctl::ledger
