#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Invariants for the order of a branch's revisions. They are derived from the users' actions,
/// independently of the merge under test. Tests that replay histories use them, with or without
/// git.
namespace revctl::testing {

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

/// True if both revisions are in the list, and `first` comes before `second`.
inline bool Stands(const Entries& list, const std::string& first, const std::string& second) {
  const auto a = Place(list, first), b = Place(list, second);
  return a >= 0 && b >= 0 && a < b;
}

inline bool BeginsWith(const Entries& list, const Entries& head) {
  return list.size() >= head.size() && std::equal(head.begin(), head.end(), list.begin());
}

/// True if two revisions are in both lists but in opposite orders.
inline bool Contradict(const Entries& one, const Entries& other) {
  std::ptrdiff_t last = -1;
  for (const auto& [name, number] : one) {
    const std::ptrdiff_t place = Place(other, name);
    if (place >= 0 && place < last) return true;
    last = std::max(last, place);
  }
  return false;
}

/// Returns a message if two neighboring pending revisions of `before` have swapped places in
/// `after`, unless they are also swapped in `other`. Otherwise returns "". If `before` and `other`
/// contradict each other, compares only revisions that are in both lists, because not all other
/// revisions can keep their places.
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

/// Returns a message if a name occurs twice or the numbers do not increase, otherwise "".
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
  /// All revisions that the branch has ever contained, including landed ones.
  std::set<std::string> names;
  /// Pairs of revisions: when the second was added, the branch already contained the first.
  std::set<std::pair<std::string, std::string>> before;

  void Add(const std::string& revision, const Entries& list) {
    for (const auto& [earlier, number] : list) before.emplace(earlier, revision);
    names.insert(revision);
  }
  /// Adds another branch's revisions. Drops pairs that are in the opposite order in one of the
  /// lists. If the lists contradict each other, also drops pairs in which only one of the two
  /// revisions is in both lists.
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
  /// Adds `name` from a picked commit, after the revisions that precede it on the other branch.
  void Pick(const std::string& name, const BranchOrder& other, const Entries& mine) {
    for (const auto& pair : other.before) {
      if (pair.second == name && names.contains(pair.first) && !Has(mine, name))
        before.insert(pair);
    }
    names.insert(name);
  }
  /// Drops pairs that are in the opposite order in `list`, because a user has reordered them.
  void Forget(const Entries& list) {
    std::erase_if(before, [&](const auto& pair) { return Stands(list, pair.second, pair.first); });
  }
  /// Drops pairs that contain a reverted revision, because it may be restored in any position.
  void Keep(const Entries& list) {
    std::erase_if(before, [&](const auto& pair) {
      return !Has(list, pair.first) || !Has(list, pair.second);
    });
  }
  /// Returns a message for a pair of pending revisions in the wrong order, or "".
  std::string Wrong(const Entries& list, const Entries& landed) const {
    for (const auto& [first, second] : before) {
      if (!Has(landed, first) && !Has(landed, second) && Stands(list, second, first))
        return first + " was there before " + second + ", and now stands behind it";
    }
    return "";
  }
};

}  // namespace revctl::testing
