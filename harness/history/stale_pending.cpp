#include "harness/history/stale_pending.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "golden/stale_records.h"
#include "harness/history/history.h"
#include "harness/history/landed.h"

namespace revctl::harness {
namespace {

/// True if a revision before `index` has a golden with the same name and payload.
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

namespace {

/// True if the record fills a gap, which means that it was made after the records of later
/// revisions. These records are not stale, because the code already contained this revision.
bool FillsGap(const golden::RevisionRecord& record) {
  const std::string& command = record.provenance.command;
  return command == "record --backfill" || command == "record-history";
}

std::vector<golden::ListedRecord> Listed(const revctl::ListTable& list,
                                         const golden::Store& store) {
  std::unordered_map<std::string_view, const golden::RevisionRecord*> records;
  for (const golden::StoredRecord& stored : store.records()) {
    if (!stored.addition) records.emplace(stored.record.revision, &stored.record);
  }
  // Purged revisions are not checked, but their records still describe types, and later records may
  // refer to them in `previous`.
  std::multimap<std::int64_t, std::string_view> purged;
  for (const auto& [name, record] : records) {
    if (record->number < list.oldest && list.Find(name) == nullptr)
      purged.emplace(record->number, name);
  }
  std::vector<golden::ListedRecord> listed;
  for (const auto& [number, name] : purged) listed.emplace_back().name = name;
  for (const revctl::ListEntry& entry : list.entries) {
    if (entry.number < list.oldest) {
      listed.emplace_back().name = entry.name;
      continue;
    }
    const auto found = records.find(entry.name);
    golden::ListedRecord& one = listed.emplace_back();
    one.name = entry.name;
    one.recorded = found != records.end() && !FillsGap(*found->second);
    if (!one.recorded) continue;
    one.previous = found->second->previous;
    one.behind = found->second->behind;
  }
  return listed;
}

/// True if the predecessors of any record have changed since it was made.
bool AnyMoved(const std::vector<golden::ListedRecord>& listed) {
  std::vector<std::string_view> before;
  for (const golden::ListedRecord& one : listed) {
    if (!one.recorded) continue;
    if (!one.previous.empty() && (before.empty() || one.previous != before.back())) return true;
    if (one.behind.size() > before.size() ||
        !std::equal(one.behind.rbegin(), one.behind.rend(), before.rbegin()))
      return true;
    before.push_back(one.name);
  }
  return false;
}

/// Marks the records of pending revisions. Treats records without `previous` as landed, which never
/// hides a finding.
void MarkPending(const Landed& landed, std::vector<golden::ListedRecord>& listed) {
  for (std::size_t i = listed.size(); i-- > 0;) {
    if (!listed[i].recorded) continue;
    listed[i].pending = !listed[i].previous.empty() && !landed.Has(listed[i].name);
    // If the landed revisions are unknown, only the newest record may be pending.
    if (!landed.known()) break;
  }
}

golden::RecordGraph GraphOf(const std::vector<golden::ListedRecord>& listed,
                            const golden::Store& store) {
  std::unordered_map<std::string_view, std::vector<const golden::StoredRecord*>> records;
  for (const golden::StoredRecord& stored : store.records())
    records[stored.record.revision].push_back(&stored);
  golden::RecordGraph graph;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    for (const golden::StoredRecord* stored : records[listed[i].name]) {
      // Skip additions to pending revisions. Their order is unknown, because additions have no
      // `previous`.
      if (!stored->addition || !listed[i].pending) graph.Add(i, golden::TypesOf(stored->record));
    }
  }
  return graph;
}

void TakeOut(const revctl::ListTable& list, const golden::Store& store, const Landed& landed,
             StalePending& out) {
  auto additions = FindInheritedCopies(History(list, store), out.revisions, landed);
  for (const golden::StoredRecord& stored : store.records()) {
    if (stored.addition && out.Holds(stored.record.revision)) additions.push_back(stored.file);
  }
  out.store = store;
  for (const std::string& revision : out.revisions) {
    const golden::StoredRecord* stored = store.Find(revision);
    if (stored == nullptr) continue;
    for (auto& [golden, values] : golden::MadeBy(stored->record)) {
      for (auto& [path, value] : values) out.made[golden].insert_or_assign(path, std::move(value));
    }
  }
  for (const std::string& revision : out.revisions) out.store->Forget(revision);
  for (const std::string& file : additions) out.store->ForgetAddition(file);
}

}  // namespace

bool StalePending::Holds(const std::string& revision) const {
  return std::find(revisions.begin(), revisions.end(), revision) != revisions.end();
}

std::set<std::string> FindStaleAmong(const revctl::ListTable& list, const golden::Store& store,
                                     const std::vector<std::string>& names) {
  auto listed = Listed(list, store);
  for (golden::ListedRecord& one : listed)
    one.pending = std::find(names.begin(), names.end(), one.name) != names.end();
  const golden::RecordGraph graph = GraphOf(listed, store);
  const golden::RecordOrder order(std::move(listed));
  std::set<std::string> stale;
  for (std::size_t i = 0; i < order.list().size(); ++i) {
    const golden::ListedRecord& one = order.list()[i];
    if (one.pending && one.recorded && !graph.Compare(i, order.MadeWithout(i)).types.empty())
      stale.insert(one.name);
  }
  return stale;
}

std::set<std::string> FindLandedStale(const revctl::ListTable& list, const golden::Store& store,
                                      const std::vector<std::string>& names) {
  auto stale = FindStaleAmong(list, store, names);
  std::set<std::string> before;
  for (const golden::ListedRecord& one : Listed(list, store)) {
    if (!before.contains(one.previous)) stale.erase(one.name);
    before.insert(one.name);
  }
  return stale;
}

StalePending FindStalePending(const revctl::ListTable& list, const golden::Store& store) {
  StalePending out;
  auto listed = Listed(list, store);
  if (!AnyMoved(listed)) return out;
  const Landed landed(store.folder());
  MarkPending(landed, listed);
  const golden::RecordGraph graph = GraphOf(listed, store);
  const golden::RecordOrder order(std::move(listed));
  bool all_pending = true;
  std::set<std::string> unknown;
  for (std::size_t i = 0; i < order.list().size(); ++i) {
    const golden::ListedRecord& one = order.list()[i];
    if (!one.recorded) continue;
    const auto without = one.pending ? order.MadeWithout(i) : std::vector<std::size_t>();
    const auto shared = graph.Compare(i, without);
    if (!shared.types.empty()) {
      out.stale.push_back({one.name, StaleText(order, i, shared), landed.IsUnfolded(one.name)});
      for (const std::size_t other : without) unknown.insert(order.list()[other].name);
    }
    if (out.stale.empty()) continue;
    out.revisions.push_back(one.name);
    all_pending = all_pending && one.pending;
  }
  // If one of the records has landed, or may have landed, check all of them without removing any.
  if (!all_pending) out.revisions.clear();
  if (out.revisions.empty()) return out;
  for (const golden::ListedRecord& one : order.list()) {
    if (const golden::StoredRecord* stored = store.Find(one.name); stored != nullptr)
      out.others.Add(stored->record, unknown.contains(one.name));
  }
  for (const golden::Approval& approval : store.approvals()) out.others.Add(approval);
  TakeOut(list, store, landed, out);
  return out;
}

}  // namespace revctl::harness
