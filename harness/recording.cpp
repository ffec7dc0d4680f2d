#include "harness/recording.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/add_files.h"
#include "harness/add_reaching.h"
#include "harness/entry_order.h"
#include "harness/keep_values.h"
#include "harness/layout_diff.h"
#include "harness/samples.h"
#include "harness/signals/signals.h"
#include "harness/type_run.h"

namespace harness {
namespace {

using golden::kLargestPayload;
constexpr char kBackfill[] = "record --backfill";

bool AppliesAt(const RootType& root, const Revision& revision) {
  return root.entry.since <= revision.number;
}

golden::RevisionRecord Header(const History& history, std::size_t index,
                              const RecordingOptions& options) {
  const Revision& revision = history.revisions()[index];
  golden::RevisionRecord record;
  record.revision = revision.name;
  record.number = revision.number;
  record.lineage = revision.lineage;
  record.provenance = {options.command, history.latest().name, CompilerName(), REVCTL_VERSION,
                       options.seed};
  return record;
}

/// What the record was made behind. Where that has landed, all before it has, and `previous` is
/// enough.
void SayBehindWhat(const History& history, std::size_t index, const RecordingOptions& options,
                   golden::RevisionRecord& record) {
  std::vector<std::string>& behind = record.behind;
  bool landed = false;
  for (std::size_t i = index; i-- > 0 && !landed;) {
    if (!history.revisions()[i].exists) continue;
    behind.insert(behind.begin(), history.revisions()[i].name);
    landed = !options.landed || options.landed->contains(behind.front());
  }
  if (behind.empty()) return;
  record.previous = behind.back();
  if (!landed || behind.size() == 1) behind.clear();
}

/// Everything about one root type at one revision that a record may need.
struct TypeNow {
  std::map<std::string, TypeTrace> layouts;
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<Written> samples;
};

TypeNow Look(const RootType& root, const std::vector<Sample>& samples, std::int64_t number,
             std::int64_t latest, std::vector<std::string>& troubles) {
  const revctl::TypeInfo& type = root.type();
  TypeNow now;
  LayoutNotes notes;
  std::set<std::uint64_t> payloads;  // by hash
  for (const Sample& sample : samples) {
    const Object object = sample.make(number, &notes);
    Traced written = TraceWrite(type, object.get(), number);
    notes.Merge(written.notes);
    const auto trouble = [&](const std::string& why) {
      if (sample.by_hand) troubles.push_back(root.name + ", sample " + sample.name + ": " + why);
    };
    if (!written.ok) {
      trouble("cannot be written: " + written.path + ": " + written.reason);
      continue;
    }
    const Object again(type);
    Traced read = TraceRead(type, written.bytes, number, again.get());
    notes.Merge(read.notes);
    if (!read.ok || !read.at_end) {
      trouble("is written but not read back: " + read.path + ": " + read.reason);
      continue;
    }
    if (written.leaves.size() > kMostLeaves || written.bytes.size() > kLargestPayload) {
      trouble(TooLarge(written.leaves.size(), written.bytes.size()));
      continue;
    }
    if (!payloads.insert(golden::PayloadHash(written.bytes)).second && !sample.by_hand) continue;
    const Traced resaved = TraceWrite(type, again.get(), latest, Leaves::AndMemory);
    auto upgraded = UpgradeOf(read.leaves, resaved);
    written.leaves = std::move(read.leaves);
    now.samples.push_back({sample.name, sample.by_hand, std::move(written), std::move(upgraded)});
  }
  now.layouts = notes.Layouts(number);
  AddDefaults(notes, number, now.layouts);
  now.enums = notes.Enums();
  return now;
}

bool Compares(const TypeTrace& trace, std::int64_t number) {
  const auto& compared = trace.layout.compared;
  return std::find(compared.begin(), compared.end(), number) != compared.end();
}

using Asked = std::map<std::string, std::set<std::int64_t>>;  // by record type

/// What bodies ask the revision for, also while they read older goldens: that decides which files
/// they make the same of.
void NoteAsked(const RootType& root, const History& history, std::size_t index, const TypeNow& now,
               Asked& asked) {
  const auto add = [&](const std::map<std::string, TypeTrace>& layouts) {
    for (const auto& [name, trace] : layouts)
      asked[name].insert(trace.layout.compared.begin(), trace.layout.compared.end());
  };
  add(now.layouts);
  LayoutNotes notes;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision > index) continue;
    const Object object(root.type());
    notes.Merge(NotesOfReading(root.type(), golden.payload(),
                               history.revisions()[golden.revision].number, object.get()));
  }
  add(notes.Layouts(history.revisions()[index].number));
}

void AddCases(const RootType& root, std::vector<Written>& samples, Recording& recording) {
  for (Written& sample : samples) {
    golden::Case item;
    item.type = root.name;
    item.name = sample.name;
    item.hash = recording.payloads.Add(sample.traced.bytes);
    item.size = sample.traced.bytes.size();
    item.values = std::move(sample.traced.leaves);
    item.upgraded = std::move(sample.upgraded);
    recording.record.cases.push_back(std::move(item));
  }
  if (!samples.empty()) recording.changed.push_back(root.name);
}

/// A trouble where a root type's goldens, those of this record included, take more than their
/// budget.
void CheckBudget(const RootType& root, const History& history, Recording& recording) {
  std::uint64_t cost = 0;
  bool added = false;
  for (const Golden& golden : history.Goldens(root.name))
    cost += StoredCost(golden.item->size, golden.item->values);
  for (const golden::Case& item : recording.record.cases) {
    if (item.type != root.name) continue;
    cost += StoredCost(item.size, item.values);
    added = true;
  }
  if (!added || cost <= root.budget) return;
  recording.troubles.push_back(root.name + ": its goldens would take " +
                               std::to_string(cost / 1024) + " KiB, more than their budget of " +
                               std::to_string(root.budget / 1024) +
                               " KiB: fewer or smaller samples, or HARNESS_BUDGET(" + root.name +
                               ", " + std::to_string(cost * 2) + ");");
}

/// Older goldens whose upgraded value is not what was expected before this revision; equal changes
/// stand together.
void AddUpgrades(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& options, golden::RevisionRecord& record) {
  for (const RootType& root : registry.types) {
    std::vector<golden::Upgrade> upgrades;
    const auto places = options.kept ? PlacesChanged((*options.kept)[options.kept_at], root.name)
                                     : std::set<std::string>();
    for (const Golden& golden : history.Goldens(root.name)) {
      if (golden.revision > index) continue;
      Decoded decoded = Decode(root, golden, history.revisions()[golden.revision].number,
                               history.latest().number);
      if (!decoded.saved) continue;
      auto& leaves = decoded.resaved.leaves;
      if (options.kept) TakeBack(*options.kept, options.kept_at + 1, root.name, golden.id, leaves);
      auto changes = options.renames.Compare(history.ExpectedUpgrade(golden), leaves);
      if (!options.upgrades) {
        std::erase_if(changes, [&](const golden::Change& change) {
          return !places.contains(PlaceOf(change.path));
        });
      }
      if (changes.empty() ||
          !OnlyReordered(history.ExpectedUpgrade(golden), decoded.resaved, options.renames).empty())
        continue;
      const auto same =
          std::find_if(upgrades.begin(), upgrades.end(),
                       [&](const golden::Upgrade& upgrade) { return upgrade.changes == changes; });
      if (same == upgrades.end()) {
        upgrades.push_back({root.name, {golden.id}, std::move(changes)});
      } else {
        same->cases.push_back(golden.id);
      }
    }
    std::move(upgrades.begin(), upgrades.end(), std::back_inserter(record.upgrades));
  }
}

golden::RecordedType Recorded(const TypeTrace& trace) {
  golden::RecordedType type{trace.layout, trace.removed};
  for (auto* fields : {&type.layout.fields, &type.removed}) {
    for (revctl::LayoutField& field : *fields) {
      field.file.clear();  // where the source had it is no part of what it means
      field.line = 0;
      field.spelled.clear();
      field.reference = false;
    }
  }
  return type;
}

}  // namespace

std::string TooLarge(std::size_t leaves, std::size_t bytes) {
  return "has " + std::to_string(leaves) + " values in " + std::to_string(bytes) +
         " bytes; a golden holds at most " + std::to_string(kMostLeaves) + " values in " +
         std::to_string(kLargestPayload) + " bytes: make it smaller";
}

std::vector<golden::Change> UpgradeOf(const std::vector<golden::Leaf>& values,
                                      const Traced& resaved) {
  if (!resaved.ok) return {};
  auto changes = golden::Compare(values, resaved.leaves);
  for (const golden::Leaf& leaf : resaved.memory)
    changes.push_back({leaf.path, std::nullopt, leaf.text});
  return changes;
}

std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values) {
  std::uint64_t cost = bytes;
  for (const golden::Leaf& leaf : values) cost += leaf.path.size() + leaf.text.size() + 9;
  return cost;
}

std::string CompilerName() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

Recording Record(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& options) {
  Recording recording;
  recording.record = Header(history, index, options);
  // The values are those that this code made.
  if (const auto* before = RecordBefore(options); before != nullptr && !before->cases.empty()) {
    golden::Provenance& provenance = recording.record.provenance;
    provenance.code = before->provenance.code;
    if (before->provenance.command == kBackfill) provenance.command = kBackfill;
  }
  const Revision& revision = history.revisions()[index];
  SayBehindWhat(history, index, options, recording.record);
  std::map<std::string, TypeTrace> changed_types;
  std::map<std::string, revctl::EnumLayout> changed_enums;
  std::vector<std::pair<const RootType*, TypeNow>> looks;
  Asked asked;  // by what any root type holds
  Losses losses;
  for (const RootType& root : registry.types) {
    if (!AppliesAt(root, revision)) continue;
    const auto samples = MakeSamples(root, history.latest().number, options.seed);
    looks.emplace_back(
        &root, Look(root, samples, revision.number, history.latest().number, recording.troubles));
    NoteAsked(root, history, index, looks.back().second, asked);
  }
  for (auto& [looked_at, now] : looks) {
    const RootType& root = *looked_at;
    bool changed = false;
    for (auto& [name, trace] : now.layouts) {
      trace.layout.compared.assign(asked[name].begin(), asked[name].end());
      const golden::RecordedType* before = index == 0 ? nullptr : history.TypeAt(name, index - 1);
      if (before && SameRecord(*before, trace) && !Compares(trace, revision.number)) continue;
      changed = true;
      changed_types.emplace(name, trace);
    }
    for (auto& [name, layout] : now.enums) {
      const revctl::EnumLayout* before = index == 0 ? nullptr : history.EnumAt(name, index - 1);
      if (before && *before == layout) continue;
      changed = true;
      changed_enums.emplace(name, layout);
    }
    const auto& goldens = history.Goldens(root.name);
    const bool has_older = std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
      return golden.revision < index;
    });
    if (changed || !has_older) {
      KeepValues(root, revision.number, history.latest().number, options, now.samples, losses);
      AddReaching(root, history, index, options, now.samples, recording.warnings);
      AddCases(root, now.samples, recording);
      AddFile(root, history, index, true, recording);
    }
    CheckBudget(root, history, recording);
  }
  TellOfDropped(options, recording, losses);
  for (const auto& [name, trace] : changed_types) recording.record.types.push_back(Recorded(trace));
  for (auto& [name, layout] : changed_enums) recording.record.enums.push_back(std::move(layout));
  if (options.upgrades || options.kept)
    AddUpgrades(registry, history, index, options, recording.record);
  recording.losses = losses.Texts();
  return recording;
}

Recording RecordAdditions(const Registry& registry, const History& history,
                          const RecordingOptions& options) {
  Recording recording;
  const std::size_t index = history.newest_recorded();
  if (index == History::none()) return recording;
  recording.record = Header(history, index, options);
  const Revision& revision = history.revisions()[index];
  for (const RootType& root : registry.types) {
    if (!AppliesAt(root, revision)) continue;
    const auto& goldens = history.Goldens(root.name);
    auto samples = MakeSamples(root, history.latest().number, options.seed);
    std::erase_if(samples, [&](const Sample& sample) {
      const bool known = std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
        return golden.item->name == sample.name;
      });
      return goldens.empty() ? false : known || !sample.by_hand;
    });
    TypeNow now = Look(root, samples, revision.number, history.latest().number, recording.troubles);
    AddReaching(root, history, index, options, now.samples, recording.warnings);
    AddCases(root, now.samples, recording);
    AddFile(root, history, index, false, recording);
    CheckBudget(root, history, recording);
    for (const auto& [name, trace] : now.layouts) {
      const bool known = history.TypeAt(name, index) != nullptr ||
                         std::any_of(recording.record.types.begin(), recording.record.types.end(),
                                     [&n = name](const golden::RecordedType& type) {
                                       return type.layout.type == n;
                                     });
      if (!known) recording.record.types.push_back(Recorded(trace));
    }
    for (const auto& [name, layout] : now.enums) {
      if (!history.EnumAt(name, index)) recording.record.enums.push_back(layout);
    }
  }
  return recording;
}

std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames) {
  // In force are those of the last record that has any, and what was added since.
  std::size_t since = 0;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision < index && !golden.record->addition) since = golden.revision;
  }
  std::vector<Inherited> inherited;
  std::set<std::string> names;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == index) return {};
    if (golden.revision < since || golden.revision > index) continue;
    Decoded decoded =
        Decode(root, golden, history.revisions()[index].number, history.latest().number);
    if (!decoded.complete || !decoded.saved ||
        !renames.Compare(golden.item->values, decoded.read.leaves).empty())
      continue;
    if (names.insert(golden.item->name).second) inherited.push_back({&golden, std::move(decoded)});
  }
  return inherited;
}

Recording RecordInherited(const Registry& registry, const History& history, std::size_t index,
                          const std::vector<std::string>& types, const RecordingOptions& options) {
  Recording recording;
  recording.record = Header(history, index, options);
  for (const RootType& root : registry.types) {
    if (std::find(types.begin(), types.end(), root.name) == types.end()) continue;
    const auto inherited = InheritedAt(root, history, index, options.renames);
    for (const Inherited& each : inherited) {
      golden::Case item = *each.golden->item;
      item.hash = recording.payloads.Add(each.golden->payload());
      item.upgraded = UpgradeOf(item.values, each.decoded.resaved);
      recording.record.cases.push_back(std::move(item));
    }
    if (inherited.empty()) continue;
    recording.changed.push_back(root.name);
    CheckBudget(root, history, recording);
  }
  return recording;
}

Recording RecordImport(const RootType& root, const History& history, std::size_t index,
                       const std::string& name, std::span<const std::byte> payload,
                       const RecordingOptions& options) {
  Recording recording;
  recording.record = Header(history, index, options);
  const std::int64_t number = history.revisions()[index].number;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == index && golden.item->name == name)
      recording.troubles.push_back(golden.id + " is there already: choose another --name");
  }
  const Object object(root.type());
  Traced read = TraceRead(root.type(), payload, number, object.get());
  if (!read.ok || !read.at_end) {
    recording.troubles.push_back(read.ok ? root.name + " ends before the file does"
                                         : root.name + "." + read.path + " at offset " +
                                               std::to_string(read.offset) +
                                               " of the payload: " + read.reason);
  } else if (read.leaves.size() > kMostLeaves || payload.size() > kLargestPayload) {
    recording.troubles.push_back(TooLarge(read.leaves.size(), payload.size()));
  }
  if (!recording.troubles.empty()) return recording;
  const Traced resaved =
      TraceWrite(root.type(), object.get(), history.latest().number, Leaves::AndMemory);
  golden::Case item;
  item.type = root.name;
  item.name = name;
  item.hash = recording.payloads.Add(payload);
  item.size = payload.size();
  item.upgraded = UpgradeOf(read.leaves, resaved);
  item.values = std::move(read.leaves);
  recording.record.cases.push_back(std::move(item));
  recording.changed.push_back(root.name);
  CheckBudget(root, history, recording);
  return recording;
}

}  // namespace harness
