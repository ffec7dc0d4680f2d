#include "golden/revision_record.h"

#include <string_view>
#include <unordered_map>

namespace revctl::golden {

std::string CaseId(const std::string& revision, const std::string& name) {
  return revision + "/" + name;
}

std::vector<Change> Compare(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::unordered_map<std::string_view, const Leaf*> then, now;
  for (const Leaf& leaf : before) then.emplace(leaf.path, &leaf);
  for (const Leaf& leaf : after) now.emplace(leaf.path, &leaf);
  std::vector<Change> changes;
  for (const Leaf& leaf : before) {
    const auto found = now.find(leaf.path);
    if (found == now.end()) {
      changes.push_back({leaf.path, leaf.text, std::nullopt});
    } else if (found->second->text != leaf.text) {
      changes.push_back({leaf.path, leaf.text, found->second->text});
    }
  }
  for (const Leaf& leaf : after) {
    if (!then.contains(leaf.path)) changes.push_back({leaf.path, std::nullopt, leaf.text});
  }
  return changes;
}

void Apply(const std::vector<Change>& changes, std::vector<Leaf>& leaves) {
  if (changes.empty()) return;
  std::unordered_map<std::string_view, const Change*> by_path;
  for (const Change& change : changes) by_path.emplace(change.path, &change);
  std::vector<Leaf> result;
  result.reserve(leaves.size());
  for (Leaf& leaf : leaves) {
    const auto found = by_path.find(leaf.path);
    if (found == by_path.end()) {
      result.push_back(std::move(leaf));
      continue;
    }
    if (found->second->after) result.push_back({std::move(leaf.path), *found->second->after});
    by_path.erase(found);
  }
  for (const Change& change : changes) {
    const auto found = by_path.find(change.path);
    if (found != by_path.end() && found->second == &change && change.after) {
      result.push_back({change.path, *change.after});
    }
  }
  leaves = std::move(result);
}

}  // namespace revctl::golden
