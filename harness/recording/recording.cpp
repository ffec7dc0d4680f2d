#include "harness/recording/recording.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/history/harmless_changes.h"
#include "harness/layout/layout_diff.h"
#include "harness/recording/kept_goldens.h"
#include "harness/recording/record_parts.h"
#include "harness/samples/inventor.h"
#include "harness/samples/samples.h"
#include "harness/samples/type_run.h"
#include "harness/signals/signals.h"

namespace revctl::harness {
namespace {

constexpr char kBackfill[] = "record --backfill";

/// Sets the record's `previous`, and `behind`, the records from the last landed one to `previous`.
/// Leaves `behind` empty if `previous` has landed, because then everything before it has landed,
/// too.
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

bool Compares(const TypeTrace& trace, std::int64_t number) {
  const auto& compared = trace.layout.compared;
  return std::find(compared.begin(), compared.end(), number) != compared.end();
}

/// True if the record at `index` may omit layouts that equal those in the previous record. False
/// after an unrecorded revision, whose layouts may differ.
bool Inherits(const History& history, std::size_t index) {
  if (index == 0) return false;
  return history.revisions()[index - 1].exists || index <= history.oldest_recorded();
}

using HeldPlaces = std::vector<golden::HeldVersion>;

/// Compares two payloads that may contain their revision numbers, `then_number` and `now_number`.
/// Returns an empty list if they are equal, the places that may contain the number if nothing else
/// differs, and nullopt otherwise.
std::optional<HeldPlaces> PlacesBetween(std::span<const std::byte> then, std::int64_t then_number,
                                        std::span<const std::byte> now, std::int64_t now_number) {
  if (std::equal(then.begin(), then.end(), now.begin(), now.end())) return HeldPlaces();
  auto places = golden::FindHeldVersion(then, then_number, now, now_number);
  return places.empty() ? std::nullopt : std::optional(std::move(places));
}

/// Compares a golden of an opaque type with the bytes that its streams write for the golden's
/// values at revision `number`; see PlacesBetween. First tries an object made from the recorded
/// values. Then tries the object read from the golden, because a sample may set members that the
/// body does not list.
std::optional<HeldPlaces> WrittenAlike(const RootType& root, const History& history,
                                       const Golden& golden, std::int64_t number,
                                       const Renames& renames) {
  const auto payload = golden.payload();
  const auto compare = [&](void* object) -> std::optional<HeldPlaces> {
    const auto bytes = TracedBytes(root.type(), object, number);
    if (!bytes) return std::nullopt;
    return PlacesBetween(payload, history.HeldNumber(golden), *bytes, number);
  };
  const Refilled refilled = Refill(root.type(), golden.item->values, number, 1, renames);
  if (refilled.ok) {
    if (auto places = compare(refilled.object.get())) return places;
  }
  const Object read(root.type());
  const std::int64_t own = history.revisions()[golden.revision].number;
  const auto outcome = root.Read(payload, own, read.get());
  return outcome.ok && outcome.at_end ? compare(read.get()) : std::nullopt;
}

/// Like WrittenAlike, but for a large golden. Tries only the object read from it, because the
/// record does not contain all values.
std::optional<HeldPlaces> LargeWrittenAlike(const RootType& root, const History& history,
                                            const Golden& golden, std::int64_t number) {
  const auto payload = history.ReadLarge(golden);
  if (!payload) return std::nullopt;  // `check` reports unreadable goldens
  const std::int64_t own = history.revisions()[golden.revision].number;
  const Object object(root.type());
  const auto read = root.Read(*payload, own, object.get());
  std::vector<std::byte> bytes;
  if (!read.ok || !read.at_end || !root.Write(number, object.get(), bytes).ok) return std::nullopt;
  auto places = PlacesBetween(*payload, own, bytes, number);
  if (!places) places = PlacesBetween(*payload, golden.record->record.number, bytes, number);
  return places;
}

/// Whether a revision inherits the goldens of an opaque type.
struct Inheritance {
  bool inherits = false;
  /// position of the revision number in the payloads, if they contain it
  std::optional<golden::HeldVersion> held;
};

/// Decides whether a revision inherits the goldens of an opaque type. It does if the type's streams
/// still write the same bytes for every golden of the previous revision, except for the revision
/// number in one place. Only goldens can show that, because visits do not reveal the bytes of such
/// a type, and its writer need not support older revisions.
Inheritance InheritedOpaque(const RootType& root, const History& history, std::size_t index,
                            const RecordingOptions& options) {
  const std::int64_t number = history.revisions()[index].number;
  std::optional<HeldPlaces> common;
  for (const Golden& golden : history.SmallAndLarge(root.name)) {
    if (golden.revision >= index || !ComparesAllTypes(golden.record->record)) continue;
    if (history.OpaqueUntil(golden) < std::min(index, history.newest_recorded() + 1)) continue;
    auto places = golden.large != nullptr
                      ? LargeWrittenAlike(root, history, golden, number)
                      : WrittenAlike(root, history, golden, number, options.renames);
    if (!places) return {};
    if (!common) {
      common = std::move(*places);
    } else if (common->empty() != places->empty()) {
      return {};
    } else {
      std::erase_if(*common, [&](const golden::HeldVersion& place) {
        return std::find(places->begin(), places->end(), place) == places->end();
      });
      if (common->empty() && !places->empty()) return {};
    }
  }
  Inheritance out{common.has_value(), std::nullopt};
  if (common && !common->empty()) {
    out.held = common->front();
    out.held->type = root.name;
  }
  return out;
}

/// True if this revision changes how the streams of an opaque type upgrade older goldens.
bool UpgradesOtherwise(const RootType& root, const History& history, std::size_t index,
                       const RecordingOptions& options) {
  return std::any_of(
      history.Goldens(root.name).begin(), history.Goldens(root.name).end(),
      [&](const Golden& golden) {
        const Decoded decoded = Decode(root, golden, history.revisions()[golden.revision].number,
                                       history.latest().number);
        return golden.revision < index && decoded.saved &&
               !options.renames.Compare(history.ExpectedUpgrade(golden), decoded.resaved.leaves)
                    .empty();
      });
}

using Asked = std::map<std::string, std::set<std::int64_t>>;  // numbers by record type

/// Notes the numbers with which bodies compare the revision, including comparisons made while
/// reading older goldens. These numbers determine for which revisions files are treated alike.
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

/// Adds the older goldens whose upgraded values this revision changes. Goldens with equal changes
/// share an entry.
void AddUpgrades(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& options, golden::RevisionRecord& record) {
  for (const RootType& root : registry.types) {
    if (options.left_out.contains(root.name)) continue;
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
    if (options.upgrades) AddLargeUpgrades(root, history, index, options.renames, record);
  }
}

using LookedAt = std::vector<std::pair<const RootType*, TypeNow>>;

/// Runs the bodies of the root types that can be recorded at revision `index`. Adds to `asked`
/// every number that a body compares the revision with, and adds the names of local variables to
/// `options.renames`. Stores failures and the types that a backfill leaves out in `recording`.
LookedAt LookAtTypes(const Registry& registry, const History& history, std::size_t index,
                     RecordingOptions& options, Asked& asked, Recording& recording) {
  const Revision& revision = history.revisions()[index];
  LookedAt out;
  bool left_out = false;
  for (const RootType& root : registry.types) {
    if (!AppliesAt(root, revision) || options.left_out.contains(root.name)) continue;
    if (IsOpaque(root.type()) && options.command == kBackfill) {
      recording.warnings.push_back(root.name + ": " + kNoBackfill);
      left_out = true;
      continue;
    }
    const auto samples = MakeSamples(root, history.latest().number, options.seed);
    const FailureNote failure(root, recording);
    out.emplace_back(
        &root, Look(root, samples, revision.number, history.latest().number, recording.troubles));
    NoteAsked(root, history, index, out.back().second, asked);
    const auto& layouts = out.back().second.layouts;
    AddNamesOfLocals(history, layouts, options.renames);
    if (const auto* before = RecordBefore(options))
      AddNamesOfLocals(*before, revision.number, layouts, options.renames);
  }
  recording.nothing = left_out && out.empty();
  return out;
}

/// The changed layouts of all root types, which go into the record.
struct ChangedLayouts {
  std::map<std::string, TypeTrace> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

/// Adds the changed layouts of one root type to `out`, and sets `compared` in `now`. A layout is
/// changed if it differs from the layout at the previous revision. If `inherits` is false, all
/// layouts count as changed. A type's layout also counts as changed if a body compares the revision
/// with the number of revision `index`, or if `unseen` names the type ("" names none). Returns true
/// if any layout counts as changed.
bool AddChanged(const History& history, std::size_t index, bool inherits, const std::string& unseen,
                const Asked& asked, TypeNow& now, ChangedLayouts& out) {
  bool changed = false;
  for (auto& [name, trace] : now.layouts) {
    const auto& compared = asked.at(name);
    trace.layout.compared.assign(compared.begin(), compared.end());
    const golden::RecordedType* before = inherits ? history.TypeAt(name, index - 1) : nullptr;
    if (before && name != unseen && SameRecord(*before, trace) &&
        !Compares(trace, history.revisions()[index].number))
      continue;
    changed = true;
    out.types.emplace(name, trace);
  }
  for (auto& [name, layout] : now.enums) {
    const revctl::EnumLayout* before = inherits ? history.EnumAt(name, index - 1) : nullptr;
    if (before && *before == layout) continue;
    changed = true;
    out.enums.emplace(name, layout);
  }
  return changed;
}

}  // namespace

std::vector<golden::Change> UpgradeOf(const std::vector<golden::Leaf>& values,
                                      const Traced& resaved) {
  if (!resaved.ok) return {};
  auto changes = golden::Compare(values, resaved.leaves);
  for (const golden::Leaf& leaf : resaved.memory)
    changes.push_back({leaf.path, std::nullopt, leaf.text});
  return changes;
}

Recording Record(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& given) {
  RecordingOptions options = given;
  Recording recording;
  recording.record = Header(history, index, options);
  // The values come from an earlier recording, so keep its provenance, too.
  if (const auto* before = RecordBefore(options); before != nullptr && !before->cases.empty()) {
    golden::Provenance& provenance = recording.record.provenance;
    provenance.code = before->provenance.code;
    if (before->provenance.command == kBackfill) provenance.command = kBackfill;
  }
  const Revision& revision = history.revisions()[index];
  const bool inherits = Inherits(history, index);
  SayBehindWhat(history, index, options, recording.record);
  ChangedLayouts layouts;
  Asked asked;  // numbers of all root types' bodies
  Losses losses;
  for (auto& [looked_at, now] : LookAtTypes(registry, history, index, options, asked, recording)) {
    const RootType& root = *looked_at;
    const FailureNote failure(root, recording);
    Inheritance opaque;
    bool unseen = false;  // the streams of an opaque type write or read goldens differently
    if (IsOpaque(root.type()) && index != 0) {
      if (inherits) opaque = InheritedOpaque(root, history, index, options);
      unseen = !opaque.inherits || UpgradesOtherwise(root, history, index, options);
    }
    const bool changed =
        AddChanged(history, index, inherits, unseen ? root.name : "", asked, now, layouts);
    const auto any_older = [index](const std::vector<Golden>& goldens) {
      return std::any_of(goldens.begin(), goldens.end(),
                         [&](const Golden& golden) { return golden.revision < index; });
    };
    const bool has_older =
        any_older(history.Goldens(root.name)) || any_older(history.Large(root.name));
    if (changed || !has_older) {
      KeepValues(root, revision.number, history.latest().number, options, now.samples, losses);
      AddReaching(root, history, index, options, now.samples, recording.warnings);
      SayRefused(root, history.latest().number, options.seed, now, recording);
      AddCases(root, now.samples, recording);
      for (LargeSample& sample : now.large)
        AddLarge(root, history, index, sample.name, std::move(sample.payload), recording);
      AddFile(root, history, index, true, recording);
    } else if (opaque.held) {
      recording.record.versions.push_back(*opaque.held);
    }
    CheckBudget(root, history, recording);
  }
  CheckLargeBudgets(registry, history, recording);
  TellOfDropped(options, recording, losses);
  for (const auto& [name, trace] : layouts.types) recording.record.types.push_back(Recorded(trace));
  for (auto& [name, layout] : layouts.enums) recording.record.enums.push_back(std::move(layout));
  if (options.upgrades || options.kept)
    AddUpgrades(registry, history, index, options, recording.record);
  recording.losses = losses.Texts();
  return recording;
}

}  // namespace revctl::harness
