#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/git/repository.h"

namespace revctl::ledger {

/// A number that is reserved and has not landed yet.
struct Reservation {
  std::string name;
  std::int64_t number = 0;
  git::Person who;
};

/// What the ledger knows of one list. Numbers up to `high_water` were given once and are never
/// given again.
struct ListState {
  std::optional<std::int64_t> high_water;
  std::vector<Reservation> open;  ///< ascending by number

  const Reservation* Find(std::string_view name) const;
  void Close(std::string_view name);
  /// Opens (or moves) the reservation of `name`; raises the high-water mark.
  void Give(const std::string& name, std::int64_t number, const git::Person& who);
  /// The same for many at once, each name and number once.
  void GiveAll(const std::vector<Reservation>& given);
};

/// The tree of the ledger's tip (design section 5): a file `ledger` with the id, and a file
/// `list.NAME` for each list.
///
///     revctl-ledger-list 1
///     high-water 669
///     667 SR_BOSS_PHASE Ann <ann@studio.example>
struct State {
  std::string id;
  std::map<std::string, ListState> lists;
};

using Files = std::map<std::string, std::string>;
Files FormatState(const State& state);
/// `place` names the commit in errors. Anything but what FormatState writes is an error, since all
/// clones trust a ledger. Exit::Usage: a newer format.
base::Result<State> ParseState(const Files& files, const std::string& place);

/// The same person for the ledger: e-mail addresses without regard to case.
bool SamePerson(const git::Person& one, const git::Person& two);

}  // namespace revctl::ledger
