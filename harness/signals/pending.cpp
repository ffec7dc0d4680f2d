#include "harness/signals/pending.h"

#include <algorithm>

namespace revctl::harness {
namespace {

/// Whether both are the same change, leaving out which goldens show it.
bool SameChange(const golden::Approval& a, const golden::Approval& b) {
  return a.kind == b.kind && a.type == b.type && a.from == b.from && a.to == b.to &&
         a.field == b.field && a.value == b.value && a.after == b.after && a.changes == b.changes;
}

}  // namespace

void AddPending(std::vector<Pending>& all, Pending added) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Pending& pending) {
    return SameChange(pending.approval, added.approval);
  });
  if (same == all.end()) {
    all.push_back(std::move(added));
    return;
  }
  for (std::string& id : added.approval.cases) {
    auto& cases = same->approval.cases;
    if (std::find(cases.begin(), cases.end(), id) == cases.end()) cases.push_back(std::move(id));
  }
}

}  // namespace revctl::harness
