#pragma once
#include <map>
#include <string>
#include <vector>

#include "revctl/list/merge_work.h"

namespace revctl::list::detail {

/// A side lacks a landed revision of the base, and has another name in its place and on its number.
/// That is a new name for the landed one, or a revision of its own. Such a one took the number on a
/// branch that never had the landed one. The base is then newer than that side, as in a
/// cherry-pick, `rebase --onto`, `stash pop` or `revert`. The three texts look the same in both
/// cases, and taking the second for the first would give one revision's code the number of another.
/// So the side's own history decides (MergeContext::origin). Where it says nothing, it is a
/// conflict, unless the line is the same but for its name.
class RenamedMerge {
 public:
  /// `work` outlives it.
  explicit RenamedMerge(MergeWork& work) : work_(work) {}

  /// Looks at what the sides have instead of the landed `name`, an entry of the base that a side
  /// lacks. False: nothing.
  bool Settle(const std::string& name);
  /// Other names for the landed `name`, to be written below it.
  std::vector<Item> NamesFor(const std::string& name) const;

 private:
  const PendingItem* Heir(const Side& side, const Item& base) const;
  bool InPlace(const Side& side, std::size_t i) const;
  Origin OriginOf(const Side& side, const PendingItem& heir, const Item& base) const;
  void AddName(const PendingItem& heir, const Item& base);
  void Contradict(const Side& side, const PendingItem& heir, const Item& base);

  MergeWork& work_;
  std::map<std::string, std::vector<Item>> new_names_;  ///< by the landed name
};

}  // namespace revctl::list::detail
