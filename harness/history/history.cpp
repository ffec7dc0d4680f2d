#include "harness/history/history.h"

#include <fmt/core.h>
#include <algorithm>
#include <iterator>
#include <map>

#include "harness/layout/fields.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using Moved = std::map<std::int64_t, std::int64_t>;  // maps recorded numbers to current numbers

/// Maps the numbers in the record's `pending` map to current numbers. Returns an empty map if no
/// number moved.
Moved SaidNumbers(const revctl::ListTable& list, const golden::RevisionRecord& record) {
  Moved moved;
  bool any = false;
  for (const auto& [name, number] : record.pending) {
    const revctl::ListEntry* entry = list.Find(std::string_view(name));
    if (entry == nullptr) continue;  // abandoned, so no code uses this name
    moved.emplace(number, entry->number);
    any = any || entry->number != number;
  }
  return any ? moved : Moved();
}

/// Maps the old numbers of the record's revision and of the branch's own earlier revisions to
/// current numbers. Finds these revisions by following `previous`.
Moved MovedNumbers(const revctl::ListTable& list, const golden::Store& store,
                   const golden::RevisionRecord& record) {
  Moved moved;
  const golden::RevisionRecord* at = &record;
  for (std::int64_t below = record.number;;) {
    const revctl::ListEntry* entry = list.Find(std::string_view(at->revision));
    // A revision whose number did not move has landed, and so have all revisions before it.
    if (entry == nullptr || entry->number == at->number) return moved;
    // This revision had already moved before `record` ran.
    if (at != &record && entry->number < below) return moved;
    moved.emplace(at->number, entry->number);
    const golden::StoredRecord* before = at->previous.empty() ? nullptr : store.Find(at->previous);
    if (before == nullptr || before->record.number >= below) return moved;
    at = &before->record;
    below = at->number;
  }
}

bool MovedUp(const Moved& moved) {
  std::int64_t last = 0;
  for (auto at = moved.begin(); at != moved.end(); ++at) {
    if (at->second <= at->first || (at != moved.begin() && at->second <= last)) return false;
    last = at->second;
  }
  return true;
}

std::int64_t Today(const Moved& moved, std::int64_t number) {
  if (const auto own = moved.find(number); own != moved.end()) return own->second;
  // `<= SR_X` is recorded as a comparison with the number after SR_X.
  const auto before = moved.find(number - 1);
  return before == moved.end() ? number : before->second + 1;
}

}  // namespace

std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record) {
  const bool said = !record.pending.empty();
  const Moved moved = said ? SaidNumbers(list, record) : MovedNumbers(list, store, record);
  if (moved.empty() || (!said && !MovedUp(moved))) return {};
  const auto gate = [&](const std::string& name, std::int64_t& number) {
    const std::string last = LastComponent(name);
    if (const auto* entry = list.Find(std::string_view(last))) number = entry->number;
  };
  std::deque<golden::RecordedType> types(record.types.begin(), record.types.end());
  for (golden::RecordedType& type : types) {
    std::vector<std::int64_t>& compared = type.layout.compared;
    for (std::int64_t& number : compared) number = Today(moved, number);
    std::sort(compared.begin(), compared.end());
    compared.erase(std::unique(compared.begin(), compared.end()), compared.end());
    for (auto* fields : {&type.layout.fields, &type.removed}) {
      for (revctl::LayoutField& field : *fields) {
        gate(field.since, field.since_number);
        gate(field.until, field.until_number);
      }
    }
  }
  return types;
}

namespace {

/// Returns the entry of `type` with the highest index up to `index`, or null.
template <class Entry>
const std::pair<std::size_t, const Entry*>* LastUpTo(const History::ByType<Entry>& by_type,
                                                     std::string_view type, std::size_t index) {
  const auto found = by_type.find(type);
  if (found == by_type.end()) return nullptr;
  const auto& entries = found->second;
  const auto after =
      std::upper_bound(entries.begin(), entries.end(), index,
                       [](std::size_t at, const auto& entry) { return at < entry.first; });
  return after == entries.begin() ? nullptr : &*std::prev(after);
}

bool NoneOf(const std::vector<std::size_t>& indices, std::size_t from, std::size_t to) {
  return std::none_of(indices.begin(), indices.end(),
                      [&](std::size_t index) { return index > from && index <= to; });
}

std::string UpgradeKey(std::string_view type, std::string_view id) {
  return std::string(type) + " " + std::string(id);
}

std::string GoldenId(const golden::StoredRecord& stored, const golden::Case& item) {
  return golden::CaseId(stored.file.substr(0, stored.file.rfind('.')), item.name);
}

}  // namespace

History::History(const revctl::ListTable& list, const golden::Store& store)
    : list_(list), store_(&store) {
  for (const revctl::ListEntry& entry : list.entries) {
    if (entry.number < list.oldest) continue;
    Revision revision;
    revision.name = entry.name;
    revision.number = entry.number;
    revision.lineage = entry.lineage;
    revision.exists = store.Has(revision.name);
    revisions_.push_back(std::move(revision));
  }
  std::vector<const golden::StoredRecord*> purged;
  for (const golden::StoredRecord& stored : store.records()) {
    const auto found = std::find_if(
        revisions_.begin(), revisions_.end(),
        [&](const Revision& revision) { return revision.name == stored.record.revision; });
    if (found == revisions_.end()) {
      (stored.record.number < list.oldest ? purged : strangers_).push_back(&stored);
    } else if (stored.addition) {
      found->additions.push_back(&stored);
    } else {
      found->record = &stored;
    }
  }
  std::copy_if(purged.begin(), purged.end(), std::back_inserter(unread_additions_),
               [](const golden::StoredRecord* stored) { return stored->addition; });
  const bool carried = !purged.empty();
  Carry(std::move(purged));
  Index();
  FindLost();
  if (!carried) FindGap();
  for (std::size_t i = 0; i < revisions_.size(); ++i) {
    if (revisions_[i].unknown) unknown_.push_back(i);
    if (!revisions_[i].exists) continue;
    if (oldest_recorded_ == none()) oldest_recorded_ = i;
    newest_recorded_ = i;
  }
  if (newest_recorded_ == none()) return;
  for (std::size_t i = oldest_recorded_; i < newest_recorded_; ++i) {
    if (!revisions_[i].exists) gaps_.push_back(i);
  }
}

void History::Lose(std::string_view revision, const std::string& since) {
  for (Revision& lost : revisions_) {
    if (lost.name != revision || lost.exists) continue;
    lost.exists = lost.unknown = true;
    lost.lost_since = since;
  }
}

/// Finds removed records by their traces: a payload without a .yaml file, `previous` of a later
/// record, upgrades of the record's goldens in later records, additions to the record, or an
/// approval made while the record was the newest one.
void History::FindLost() {
  // Maps a revision to the first trace of its record.
  std::map<std::string_view, std::string> spoken_of;
  for (const Revision& revision : revisions_) {
    if (store_->HasOrphan(revision.name))
      spoken_of.emplace(revision.name, "its payloads still exist");
  }
  for (const golden::StoredRecord& stored : store_->records()) {
    const golden::RevisionRecord& record = stored.record;
    if (!record.previous.empty())
      spoken_of.emplace(record.previous, stored.file + " was recorded after it");
    if (stored.addition && record.provenance.command == "record")
      spoken_of.emplace(record.revision, stored.file + " was added to its record");
    for (const golden::Upgrade& upgrade : record.upgrades) {
      for (const std::string& id : upgrade.cases) {
        const std::size_t slash = id.find('/');
        if (slash == std::string::npos || id.find('+') < slash) continue;
        const std::string_view revision = std::string_view(id).substr(0, slash);
        if (!spoken_of.contains(revision))
          spoken_of.emplace(revision,
                            fmt::format("{} records an upgrade of the golden {}", stored.file, id));
      }
    }
  }
  for (const golden::Approval& approval : store_->approvals()) {
    if (approval.kind == golden::Approval::Kind::Upgrade)
      spoken_of.emplace(approval.after, "an upgrade was approved after it was recorded");
  }
  for (const Revision& revision : revisions_) {
    const auto found = spoken_of.find(revision.name);
    if (found != spoken_of.end() && !revision.exists) Lose(revision.name, found->second);
  }
}

/// Detects that the oldest record is missing. In this case, the first remaining record does not
/// describe every type in its goldens.
void History::FindGap() {
  std::size_t first = 0;
  while (first < revisions_.size() && !revisions_[first].exists) ++first;
  if (first == 0 || first == revisions_.size() || revisions_[first].record == nullptr) return;
  const golden::RevisionRecord& record = revisions_[first].record->record;
  for (const golden::Case& item : record.cases) {
    const bool described = std::any_of(
        record.types.begin(), record.types.end(),
        [&](const golden::RecordedType& type) { return type.layout.type == item.type; });
    if (!described) {
      Lose(revisions_[first - 1].name,
           fmt::format("the next record, {}, does not describe {}, so an older record must have "
                       "described it",
                       revisions_[first].record->file, item.type));
      return;
    }
  }
}

bool History::Known(std::size_t from, std::size_t to) const { return NoneOf(unknown_, from, to); }

bool History::Recorded(std::size_t from, std::size_t to) const {
  return NoneOf(unknown_, from, to) && NoneOf(gaps_, from, to);
}

void History::Carry(std::vector<const golden::StoredRecord*> purged) {
  if (revisions_.empty()) return;
  std::stable_sort(purged.begin(), purged.end(), [](const auto* a, const auto* b) {
    return a->record.number < b->record.number;
  });
  for (const auto* stored : purged) {
    for (const auto& type : stored->record.types) types_[type.layout.type] = {{0, &type}};
    for (const auto& layout : stored->record.enums) enums_[layout.type] = {{0, &layout}};
    const auto replace_older = [&](std::vector<Golden>& goldens, Golden golden) {
      std::erase_if(goldens, [&](const Golden& other) {
        return other.record->record.revision != stored->record.revision;
      });
      goldens.push_back(std::move(golden));
    };
    for (const auto& item : stored->record.cases)
      replace_older(goldens_[item.type], {GoldenId(*stored, item), 0, stored, &item});
    for (const golden::LargeCase& large : stored->record.large)
      replace_older(large_[large.item.type],
                    {GoldenId(*stored, large.item), 0, stored, &large.item, &large});
    for (const auto& upgrade : stored->record.upgrades) {
      for (const auto& id : upgrade.cases)
        upgrades_[UpgradeKey(upgrade.type, id)].push_back({&upgrade.changes, false});
    }
  }
}

void History::Index() {
  const auto add = [&](std::size_t index, const golden::StoredRecord& stored) {
    std::deque<golden::RecordedType> renumbered;
    if (stored.record.number != revisions_[index].number || !stored.record.pending.empty())
      renumbered = WithTodaysNumbers(list_, *store_, stored.record);
    if (!renumbered.empty()) {
      for (const auto& type : renumbered_.emplace_back(std::move(renumbered)))
        types_[type.layout.type].emplace_back(index, &type);
    } else {
      for (const auto& type : stored.record.types)
        types_[type.layout.type].emplace_back(index, &type);
    }
    for (const auto& layout : stored.record.enums) enums_[layout.type].emplace_back(index, &layout);
    for (const auto& item : stored.record.cases) {
      // The oldest revision's own goldens replace the goldens carried over from purged revisions.
      // An addition replaces only a carried golden of the same name.
      if (index == 0) {
        std::erase_if(goldens_[item.type], [&](const Golden& other) {
          return other.record->record.revision != stored.record.revision &&
                 (!stored.addition || other.item->name == item.name);
        });
      }
      goldens_[item.type].push_back({GoldenId(stored, item), index, &stored, &item});
    }
    for (const golden::LargeCase& large : stored.record.large)
      large_[large.item.type].push_back(
          {GoldenId(stored, large.item), index, &stored, &large.item, &large});
    for (const auto& upgrade : stored.record.upgrades) {
      for (const auto& id : upgrade.cases)
        upgrades_[UpgradeKey(upgrade.type, id)].push_back({&upgrade.changes, false});
    }
  };
  for (std::size_t i = 0; i < revisions_.size(); ++i) {
    if (revisions_[i].record == nullptr) continue;
    for (const golden::HeldVersion& place : revisions_[i].record->record.versions) {
      auto& places = held_[place.type];
      if (places.empty() || places.back().first != i) places.emplace_back(i, &place);
    }
  }
  for (std::size_t i = 0; i < revisions_.size(); ++i) {
    revisions_[i].unknown = revisions_[i].exists && revisions_[i].record == nullptr;
    if (revisions_[i].record) add(i, *revisions_[i].record);
    for (const auto* addition : revisions_[i].additions) add(i, *addition);
    AddApproved(i);
  }
  Renumber();
}

const golden::HeldVersion* History::PlaceToRenumber(const Golden& golden,
                                                    std::span<const std::byte> payload) const {
  const std::int64_t number = revisions_[golden.revision].number;
  const std::int64_t recorded = golden.record->record.number;
  if (recorded == number) return nullptr;
  const auto place_at = [&](std::size_t index) {
    const golden::HeldVersion* const held = HeldAt(golden.item->type, index);
    const bool fits =
        held != nullptr && golden::Fits(*held, number) && golden::Holds(*held, payload, recorded);
    return fits ? held : nullptr;
  };
  if (Carried(golden)) return place_at(0);
  // Only records of revisions that inherit goldens contain the position of the number. Try the
  // revisions after the golden first, because the nearest of these has inherited it.
  for (std::size_t i = golden.revision + 1; i < revisions_.size(); ++i) {
    if (const golden::HeldVersion* const place = place_at(i)) return place;
  }
  for (std::size_t i = golden.revision; i > 0; --i) {
    if (const golden::HeldVersion* const place = place_at(i - 1)) return place;
  }
  return nullptr;
}

/// Updates the revision number inside goldens. If the number moved after recording, it becomes the
/// current number; in goldens carried over from purged revisions, it becomes the number of the
/// oldest revision.
void History::Renumber() {
  for (auto& [unused, goldens] : goldens_) {
    for (Golden& golden : goldens) {
      const golden::HeldVersion* const place = PlaceToRenumber(golden, golden.payload());
      if (place == nullptr) continue;
      golden.renumbered = std::make_shared<const std::vector<std::byte>>(
          golden::WithVersion(*place, golden.payload(), revisions_[golden.revision].number));
    }
  }
}

golden::Result<std::vector<std::byte>> History::ReadLarge(const Golden& golden,
                                                          bool even_damaged) const {
  auto payload = store_->ReadLarge(*golden.record, *golden.large, even_damaged);
  if (!payload) return payload;
  if (const golden::HeldVersion* const place = PlaceToRenumber(golden, *payload))
    golden::PutVersion(*place, *payload, revisions_[golden.revision].number);
  return payload;
}

/// Adds the approvals made while revision `index` was the newest recorded one, to be applied after
/// its record. Approvals made at purged revisions apply at the oldest revision.
void History::AddApproved(std::size_t index) {
  for (const golden::Approval& approval : store_->approvals()) {
    if (approval.kind != golden::Approval::Kind::Upgrade) continue;
    const bool here = approval.after == revisions_[index].name;
    if (!here && (index != 0 || Find(approval.after) != nullptr)) continue;
    for (const std::string& id : approval.cases)
      upgrades_[UpgradeKey(approval.type, id)].push_back({&approval.changes, true});
  }
}

const Revision* History::Find(std::string_view name) const {
  for (const Revision& revision : revisions_) {
    if (revision.name == name) return &revision;
  }
  return nullptr;
}

const Revision* History::Find(std::int64_t number) const {
  const auto found = std::lower_bound(
      revisions_.begin(), revisions_.end(), number,
      [](const Revision& revision, std::int64_t n) { return revision.number < n; });
  return found != revisions_.end() && found->number == number ? &*found : nullptr;
}

const golden::RecordedType* History::TypeAt(std::string_view type, std::size_t index) const {
  const auto* last = LastUpTo(types_, type, index);
  return last && Recorded(last->first, index) ? last->second : nullptr;
}

std::size_t History::TypeRecordedAt(std::string_view type, std::size_t index) const {
  const auto* last = LastUpTo(types_, type, index);
  return last ? last->first : none();
}

std::size_t History::EnumRecordedAt(std::string_view type, std::size_t index) const {
  const auto* last = LastUpTo(enums_, type, index);
  return last ? last->first : none();
}

const revctl::EnumLayout* History::EnumAt(std::string_view type, std::size_t index) const {
  const auto* last = LastUpTo(enums_, type, index);
  return last && Recorded(last->first, index) ? last->second : nullptr;
}

const std::vector<Golden>& History::Goldens(std::string_view type) const {
  static const std::vector<Golden> kNone;
  const auto found = goldens_.find(type);
  return found == goldens_.end() ? kNone : found->second;
}

bool ComparesAllTypes(const golden::RevisionRecord& record) {
  const std::string& command = record.provenance.command;
  return command == "record" || command == "record --refresh";
}

const golden::HeldVersion* History::HeldAt(std::string_view type, std::size_t index) const {
  const auto* last = LastUpTo(held_, type, index);
  return last != nullptr && last->first == index ? last->second : nullptr;
}

const golden::HeldVersion* History::HeldVersionOf(std::string_view type) const {
  const auto found = held_.find(type);
  return found == held_.end() ? nullptr : found->second.back().second;
}

Golden History::AsFileOf(const Golden& golden, std::size_t index) const {
  Golden file = golden;
  const golden::HeldVersion* const held = HeldAt(golden.item->type, index);
  const std::int64_t number = revisions_[index].number;
  if (held == nullptr || !golden::Fits(*held, number) ||
      !golden::Holds(*held, golden.payload(), HeldNumber(golden)))
    return file;
  file.renumbered = std::make_shared<const std::vector<std::byte>>(
      golden::WithVersion(*held, golden.payload(), number));
  return file;
}

std::size_t History::OpaqueUntil(const Golden& golden) const {
  if (!ComparesAllTypes(golden.record->record)) return golden.revision + 1;
  const std::size_t end = InheritedUntil(golden);
  std::size_t until = golden.revision + 1;
  std::vector<std::byte> large;  // payload of a large golden, read only if a record needs it
  const auto holds = [&](const golden::HeldVersion& held) {
    if (golden.large == nullptr) return golden::Holds(held, golden.payload(), HeldNumber(golden));
    if (large.empty()) {
      if (auto payload = ReadLarge(golden)) large = std::move(*payload);
    }
    return golden::Holds(held, large, golden.record->record.number) ||
           golden::Holds(held, large, revisions_[golden.revision].number);
  };
  const auto serves = [&](std::size_t index) {
    const golden::StoredRecord* const stored = revisions_[index].record;
    if (stored == nullptr || !ComparesAllTypes(stored->record)) return false;
    const golden::HeldVersion* const held = HeldAt(golden.item->type, index);
    return held == nullptr || (golden::Fits(*held, revisions_[index].number) && holds(*held));
  };
  while (until < end && serves(until)) ++until;
  return until;
}

const std::vector<Golden>& History::Large(std::string_view type) const {
  static const std::vector<Golden> kNone;
  const auto found = large_.find(type);
  return found == large_.end() ? kNone : found->second;
}

std::vector<Golden> History::SmallAndLarge(std::string_view type) const {
  std::vector<Golden> both = Goldens(type);
  both.insert(both.end(), Large(type).begin(), Large(type).end());
  std::stable_sort(both.begin(), both.end(), [](const Golden& one, const Golden& other) {
    return one.revision < other.revision;
  });
  return both;
}

std::size_t History::InheritedUntil(const Golden& golden) const {
  std::size_t end = newest_recorded_ + 1;
  // An imported file may be older than the oldest record. gaps_ does not contain such revisions.
  if (golden.revision + 1 < oldest_recorded_ && !Carried(golden)) return golden.revision + 1;
  const auto gap = std::upper_bound(gaps_.begin(), gaps_.end(), golden.revision);
  if (gap != gaps_.end()) end = *gap;
  for (const auto* goldens : {&Goldens(golden.item->type), &Large(golden.item->type)}) {
    for (const Golden& other : *goldens) {
      if (other.revision > golden.revision && other.revision < end) end = other.revision;
    }
  }
  return end;
}

std::vector<std::string> History::RecordedTypes() const {
  std::vector<std::string> names;
  for (const auto& [name, layouts] : types_) names.push_back(name);
  return names;
}

std::vector<std::string> History::GoldenTypes() const {
  std::vector<std::string> names;
  for (const auto& [name, items] : goldens_) names.push_back(name);
  for (const auto& [name, items] : large_) {
    if (!goldens_.contains(name)) names.push_back(name);
  }
  return names;
}

namespace {

/// True if the `before` value of each change matches the current value.
bool Fits(const std::vector<golden::Change>& changes, const std::vector<golden::Leaf>& leaves) {
  return std::all_of(changes.begin(), changes.end(), [&](const golden::Change& change) {
    const golden::Leaf* const leaf = FindLeaf(leaves, change.path);
    return leaf == nullptr ? !change.before : change.before == leaf->text;
  });
}

}  // namespace

bool History::ToldApart(const std::map<std::string, const revctl::TypeInfo*>& types,
                        std::int64_t from, std::int64_t to) const {
  if (newest_recorded_ == none()) return false;
  return std::any_of(types.begin(), types.end(), [&](const auto& type) {
    const golden::RecordedType* recorded = TypeAt(type.first, newest_recorded_);
    if (recorded == nullptr) return false;
    const auto& compared = recorded->layout.compared;
    const auto above = std::upper_bound(compared.begin(), compared.end(), from);
    return above != compared.end() && *above <= to;
  });
}

std::vector<golden::Leaf> History::WithoutMemory(std::vector<golden::Leaf> leaves) {
  std::erase_if(leaves, [](const golden::Leaf& leaf) { return leaf.path.ends_with(kInMemory); });
  return leaves;
}

std::vector<golden::Leaf> History::ExpectedMemory(const Golden& item) const {
  auto leaves = Upgraded(item, /*approved=*/true);
  std::erase_if(leaves, [](const golden::Leaf& leaf) { return !leaf.path.ends_with(kInMemory); });
  return leaves;
}

std::vector<golden::Leaf> History::Upgraded(const Golden& item, bool approved) const {
  std::vector<golden::Leaf> leaves = item.item->values;
  golden::Apply(item.item->upgraded, leaves);
  const auto found = upgrades_.find(UpgradeKey(item.item->type, item.id));
  if (found == upgrades_.end()) return leaves;
  // Approvals are unordered. Apply each one when its `before` values match, and ignore approvals
  // that never match.
  std::vector<const std::vector<golden::Change>*> waiting;
  const auto apply_waiting = [&] {
    for (bool again = true; again;) {
      const auto fits = std::find_if(waiting.begin(), waiting.end(),
                                     [&](const auto* changes) { return Fits(*changes, leaves); });
      again = fits != waiting.end();
      if (!again) break;
      golden::Apply(**fits, leaves);
      waiting.erase(fits);
    }
  };
  for (const UpgradeStep& step : found->second) {
    if (step.approved) {
      if (approved) waiting.push_back(step.changes);
      continue;
    }
    apply_waiting();
    golden::Apply(*step.changes, leaves);
  }
  apply_waiting();
  return leaves;
}

}  // namespace revctl::harness
