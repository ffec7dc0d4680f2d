#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// What must hold of a branch's revisions, known from what its people did: independent of the merge
/// under test. For tests that play histories, with git or without.
namespace revctl::testing {

/// Names and numbers of a list, in file order.
using Entries = std::vector<std::pair<std::string, std::int64_t>>;

inline std::string Text(const Entries& entries) {
  std::string out;
  for (const auto& [name, number] : entries)
    out += (out.empty() ? "" : " ") + name + "=" + std::to_string(number);
  return out;
}

inline std::ptrdiff_t Place(const Entries& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == list.end() ? -1 : found - list.begin();
}

inline bool Has(const Entries& list, const std::string& name) { return Place(list, name) >= 0; }

/// Is `first` above `second`? False where one is missing.
inline bool Stands(const Entries& list, const std::string& first, const std::string& second) {
  const auto a = Place(list, first), b = Place(list, second);
  return a >= 0 && b >= 0 && a < b;
}

inline bool BeginsWith(const Entries& list, const Entries& head) {
  return list.size() >= head.size() && std::equal(head.begin(), head.end(), list.begin());
}

/// Two lists have two revisions either way round.
inline bool Contradict(const Entries& one, const Entries& other) {
  std::ptrdiff_t last = -1;
  for (const auto& [name, number] : one) {
    const std::ptrdiff_t place = Place(other, name);
    if (place >= 0 && place < last) return true;
    last = std::max(last, place);
  }
  return false;
}

/// Neighbours of `before`, pending ones, that stand the other way round in `after`, though not in
/// `other`; empty where there are none. Where the two contradict each other, not everything that
/// only one of them has can keep its place between the others.
inline std::string Turned(const Entries& before, const Entries& after, const Entries& landed,
                          const Entries& other = {}) {
  std::string last;
  const bool only_common = Contradict(before, other);
  for (const auto& [name, number] : before) {
    if (Has(landed, name) || !Has(after, name) || (only_common && !Has(other, name))) continue;
    if (!last.empty() && Stands(after, name, last) && !Stands(other, name, last))
      return last + " stood above " + name;
    last = name;
  }
  return "";
}

/// What is wrong with a list alone: a name or number twice, or numbers that do not rise.
inline std::string Unsound(const Entries& list) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!names.insert(list[i].first).second) return list[i].first + " stands there twice";
    if (i > 0 && list[i].second <= list[i - 1].second)
      return list[i].first + " is not above " + list[i - 1].first;
  }
  return "";
}

struct BranchOrder {
  /// Every revision that it ever had, landed ones too.
  std::set<std::string> names;
  /// Pairs of revisions: when the second was added, the branch had the first.
  std::set<std::pair<std::string, std::string>> before;

  void Add(const std::string& revision, const Entries& list) {
    for (const auto& [earlier, number] : list) before.emplace(earlier, revision);
    names.insert(revision);
  }
  /// Another branch's revisions come in. Where a list has two of them the other way round, that
  /// stands.
  void Join(const BranchOrder& other, const Entries& mine, const Entries& theirs) {
    const bool contradict = Contradict(mine, theirs);
    const auto stays = [&](const auto& pair) {
      if (Stands(theirs, pair.second, pair.first) || Stands(mine, pair.second, pair.first))
        return false;
      const auto both = [&](const std::string& name) {
        return Has(mine, name) && Has(theirs, name);
      };
      return !contradict || both(pair.first) == both(pair.second);
    };
    std::erase_if(before, [&](const auto& pair) { return !stays(pair); });
    for (const auto& pair : other.before) {
      if (stays(pair)) before.insert(pair);
    }
    names.insert(other.names.begin(), other.names.end());
  }
  /// A picked commit adds `name`: it follows what it followed there.
  void Pick(const std::string& name, const BranchOrder& other, const Entries& mine) {
    for (const auto& pair : other.before) {
      if (pair.second == name && names.contains(pair.first) && !Has(mine, name))
        before.insert(pair);
    }
    names.insert(name);
  }
  /// Those that were put into another order on purpose stay as they stand now.
  void Forget(const Entries& list) {
    std::erase_if(before, [&](const auto& pair) { return Stands(list, pair.second, pair.first); });
  }
  /// What a revert has taken out comes back, if it does, anywhere.
  void Keep(const Entries& list) {
    std::erase_if(before, [&](const auto& pair) {
      return !Has(list, pair.first) || !Has(list, pair.second);
    });
  }
  /// The pair of pending revisions that stands the wrong way round; empty where none does.
  std::string Wrong(const Entries& list, const Entries& landed) const {
    for (const auto& [first, second] : before) {
      if (!Has(landed, first) && !Has(landed, second) && Stands(list, second, first))
        return first + " was there before " + second + ", and now stands behind it";
    }
    return "";
  }
};

}  // namespace revctl::testing
