#include "harness/signals/inherited.h"

#include <set>
#include <string>
#include <utility>

namespace revctl::harness {

std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames) {
  // In force are those of the last record that has any, and what was added since.
  std::size_t since = 0;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision < index && !golden.record->addition) since = golden.revision;
  }
  if (!history.Recorded(since, index)) return {};
  std::vector<Inherited> inherited;
  std::set<std::string> names;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == index) return {};
    if (golden.revision < since || golden.revision > index) continue;
    Decoded decoded =
        Decode(root, golden, history.revisions()[index].number, history.latest().number);
    if (!decoded.saved || !ReadsAsRecorded(history, decoded, renames)) continue;
    if (names.insert(golden.item->name).second) inherited.push_back({&golden, std::move(decoded)});
  }
  return inherited;
}

}  // namespace revctl::harness
