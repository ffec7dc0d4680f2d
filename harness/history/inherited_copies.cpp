#include "harness/history/inherited_copies.h"

#include <algorithm>

namespace revctl::harness {
namespace {

/// Whether an older revision than the one at `index` has the golden too, name and payload.
bool IsCopy(const History& history, std::size_t index, const golden::Case& item) {
  const auto& goldens = history.Goldens(item.type);
  return std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
    return golden.revision < index && golden.item->name == item.name &&
           golden.item->hash == item.hash;
  });
}

}  // namespace

std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed) {
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    for (const golden::StoredRecord* addition : history.revisions()[i].additions) {
      const golden::RevisionRecord& record = addition->record;
      const bool by_pending =
          std::find(revisions.begin(), revisions.end(), record.provenance.code) != revisions.end();
      if (!by_pending || !record.types.empty() || !record.enums.empty() ||
          landed.HasFile(addition->file))
        continue;
      const bool all =
          std::all_of(record.cases.begin(), record.cases.end(),
                      [&](const golden::Case& item) { return IsCopy(history, i, item); });
      if (all) copies.push_back(addition->file);
    }
  }
  return copies;
}

}  // namespace revctl::harness
