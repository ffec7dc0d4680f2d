#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <revctl/objects/links.h>

// Shared objects that keep each other alive, and that no root leads to: a table may claim shares
// that no body takes.

namespace revctl::detail {

/// Id of a living object that no root leads to through those who own and share; 0 where there is
/// none. Bodies have run, and the roots are linked. Constant time for a stream whose bodies took
/// just the shares that its table tells of, since the table itself was looked at before.
inline ObjectId FindLost(const ObjectLinks& links) {
  if (links.TookAsTold()) return 0;
  std::vector<std::pair<ObjectId, ObjectId>> owns = links.TakenShares();
  const auto& objects = links.objects;
  std::vector<ObjectId> next;
  std::vector<bool> reached(objects.size() + 1, false);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto id = static_cast<ObjectId>(i + 1);
    if (objects[i].address == nullptr) continue;
    if (objects[i].parent != 0) owns.emplace_back(objects[i].parent, id);
    if (!objects[i].is_root) continue;
    reached[id] = true;
    next.push_back(id);
  }
  std::sort(owns.begin(), owns.end());
  while (!next.empty()) {
    const ObjectId owner = next.back();
    next.pop_back();
    for (auto at = std::lower_bound(owns.begin(), owns.end(), std::pair(owner, ObjectId{0}));
         at != owns.end() && at->first == owner; ++at) {
      if (reached[at->second]) continue;
      reached[at->second] = true;
      next.push_back(at->second);
    }
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].address != nullptr && !reached[i + 1]) return static_cast<ObjectId>(i + 1);
  }
  return 0;
}

}  // namespace revctl::detail
