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

/// A number that somebody has reserved for a revision that has not landed yet.
struct Reservation {
  std::string name;
  std::int64_t number = 0;
  git::Person who;
};

/// The numbers of one list. All numbers up to `high_water` have been assigned and must not be
/// reused.
struct ListState {
  std::optional<std::int64_t> high_water;
  std::vector<Reservation> open;  ///< ascending by number

  const Reservation* Find(std::string_view name) const;
  void Close(std::string_view name);
  void Give(const std::string& name, std::int64_t number, const git::Person& who);
};

/// The tree of a ledger commit: a file `ledger` with the id, and a file `list.NAME` for each list:
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
/// Parses a tree. Returns an Error for anything that FormatState() would not write, because all
/// clones trust the ledger. The Error is Exit::Usage if a newer revctl wrote the tree. `place`
/// names the commit in errors.
base::Result<State> ParseState(const Files& files, const std::string& place);

/// True if the e-mail addresses are equal, ignoring case.
bool SamePerson(const git::Person& one, const git::Person& two);

}  // namespace revctl::ledger
