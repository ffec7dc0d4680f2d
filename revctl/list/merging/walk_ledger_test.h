#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "revctl/list/reading/revision_list.h"
#include "revctl/list/writing/edit.h"

namespace revctl::list::testing {

/// A model of the team's ledger: the open reservations, and the highest number assigned so far.
struct WalkLedger {
  std::vector<std::pair<std::string, std::int64_t>> reservations;
  std::int64_t high_water = 2;

  std::int64_t Reserve(const std::string& name, std::int64_t least) {
    high_water = std::max(high_water + 1, least);
    reservations.emplace_back(name, high_water);
    return high_water;
  }

  /// Assigns numbers as `fix` does: each revision keeps its number if possible, but once a revision
  /// needs a new number, all revisions after it get new numbers, too.
  std::vector<NewNumber> Confirm(const RevisionList& list, const RevisionList& target) {
    std::int64_t last = target.Latest()->number;
    std::int64_t next = std::max({last, high_water, list.Latest()->number}) + 1;
    std::vector<NewNumber> moves;
    for (const Entry* entry : list.Revisions()) {
      if (target.Find(entry->name) != nullptr) continue;
      const auto held = std::find_if(reservations.begin(), reservations.end(),
                                     [&](const auto& one) { return one.first == entry->name; });
      const bool stays =
          held != reservations.end() && held->second > last &&
          std::none_of(list.entries.begin(), list.entries.end(), [&](const Entry& one) {
            return one.number == held->second && one.name != entry->name;
          });
      last = stays ? held->second : next++;
      if (held == reservations.end()) reservations.emplace_back(entry->name, last);
      else held->second = last;
      moves.push_back({entry->name, last});
      high_water = std::max(high_water, last);
    }
    return moves;
  }
};

}  // namespace revctl::list::testing
