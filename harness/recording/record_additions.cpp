// Additions to revisions that have already been recorded.
#include "harness/recording/record_additions.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "harness/recording/record_parts.h"
#include "harness/samples/samples.h"
#include "harness/samples/type_run.h"
#include "harness/signals/decoded.h"
#include "harness/trace/tracing.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {

Recording RecordAdditions(const Registry& registry, const History& history,
                          const RecordingOptions& options) {
  Recording recording;
  const std::size_t index = history.newest_recorded();
  if (index == History::none()) return recording;
  recording.record = Header(history, index, options);
  const Revision& revision = history.revisions()[index];
  for (const RootType& root : registry.types) {
    if (!AppliesAt(root, revision) || options.left_out.contains(root.name)) continue;
    const FailureNote failure(root, recording);
    const auto goldens = history.SmallAndLarge(root.name);
    auto samples = MakeSamples(root, history.latest().number, options.seed);
    std::erase_if(samples, [&](const Sample& sample) {
      const bool known = std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
        return golden.item->name == sample.name;
      });
      return goldens.empty() ? false : known || !sample.by_hand;
    });
    TypeNow now = Look(root, samples, revision.number, history.latest().number, recording.troubles);
    AddReaching(root, history, index, options, now.samples, recording.warnings);
    if (goldens.empty()) SayRefused(root, history.latest().number, options.seed, now, recording);
    AddCases(root, now.samples, recording);
    for (LargeSample& sample : now.large)
      AddLarge(root, history, index, sample.name, std::move(sample.payload), recording);
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
  CheckLargeBudgets(registry, history, recording);
  return recording;
}

Recording RecordInherited(const Registry& registry, const History& history, std::size_t index,
                          const std::vector<std::string>& types, const RecordingOptions& options) {
  Recording recording;
  recording.record = Header(history, index, options);
  for (const RootType& root : registry.types) {
    if (std::find(types.begin(), types.end(), root.name) == types.end()) continue;
    const auto inherited = InheritedAt(root, history, index, options.renames);
    for (const Inherited& each : inherited) {
      golden::Case item = *each.golden.item;
      item.hash = recording.payloads.Add(each.golden.payload());
      item.upgraded = UpgradeOf(item.values, each.resaved);
      recording.record.cases.push_back(std::move(item));
    }
    if (inherited.empty()) continue;
    recording.changed.push_back(root.name);
    CheckBudget(root, history, recording);
  }
  return recording;
}

Recording RecordImport(const Registry& registry, const RootType& root, const History& history,
                       std::size_t index, const std::string& name, std::vector<std::byte> payload,
                       const RecordingOptions& options) {
  Recording recording;
  recording.record = Header(history, index, options);
  const std::int64_t number = history.revisions()[index].number;
  for (const Golden& golden : history.SmallAndLarge(root.name)) {
    if (golden.revision == index && golden.item->name == name)
      recording.troubles.push_back(golden.id + " already exists; choose another --name");
  }
  if (!recording.troubles.empty()) return recording;
  const auto add_large = [&] {
    AddLarge(root, history, index, name, std::move(payload), recording);
    CheckLargeBudgets(registry, history, recording);
  };
  if (payload.size() > golden::kLargestSmallPayload) {
    add_large();
    return recording;
  }
  const Object object(root.type());
  Traced read = TraceRead(root.type(), payload, number, object.get());
  if (!read.ok || !read.at_end) {
    recording.troubles.push_back(read.ok ? root.name + " is followed by extra bytes"
                                         : fmt::format("{} at offset {} of the payload: {}",
                                                       FromRoot(root.name, read.path), read.offset,
                                                       read.reason));
    return recording;
  }
  if (read.leaves.size() > kMostLeaves) {
    add_large();
    return recording;
  }
  auto upgraded = UpgradeOf(read.leaves, TraceWrite(root.type(), object.get(),
                                                    history.latest().number, Leaves::AndMemory));
  read.bytes = std::move(payload);
  std::vector<Written> imported;
  imported.push_back({name, true, std::move(read), std::move(upgraded)});
  AddCases(root, imported, recording);
  CheckBudget(root, history, recording);
  return recording;
}

namespace {

std::string Place(std::int64_t number, std::uint64_t lineage) {
  return fmt::format("{} with lineage {}", number, base::Hex(lineage, 16));
}

/// Returns a name that no golden of the type has at this revision.
std::string FreeName(const std::set<std::string>& taken, std::string name) {
  if (!taken.contains(name)) return name;
  const std::string stem = "history-" + name;
  name = stem;
  for (std::size_t next = 2; taken.contains(name); ++next) name = fmt::format("{}-{}", stem, next);
  return name;
}

}  // namespace

Recording CarryOver(const Registry& registry, const History& history, const Revision& revision,
                    const golden::StoredRecord& then, const RecordingOptions& options) {
  Recording recording;
  const golden::RevisionRecord& old = then.record;
  if (old.number != revision.number || old.lineage != revision.lineage) {
    recording.troubles.push_back(fmt::format(
        "{} is {} in that commit's list, but {} in the current list, so files written by that "
        "commit do not belong to this revision",
        revision.name, Place(old.number, old.lineage), Place(revision.number, revision.lineage)));
    return recording;
  }
  const std::size_t index = history.IndexOf(revision);
  recording.record = Header(history, index, options);
  recording.record.provenance.code = old.provenance.code;
  // Layouts in records that the current code made take precedence.
  for (const golden::RecordedType& type : old.types) {
    if (!revision.exists || history.TypeAt(type.layout.type, index) == nullptr)
      recording.record.types.push_back(type);
  }
  for (const revctl::EnumLayout& layout : old.enums) {
    if (!revision.exists || history.EnumAt(layout.type, index) == nullptr)
      recording.record.enums.push_back(layout);
  }
  for (const golden::Case& item : old.cases) {
    const RootType* root = registry.Find(item.type);
    if (root == nullptr) continue;  // the type was retired, so its goldens are not read
    std::set<std::string> names;
    std::set<std::uint64_t> payloads;
    for (const Golden& golden : history.Goldens(item.type)) {
      if (golden.revision != index) continue;
      names.insert(golden.item->name);
      payloads.insert(golden.item->hash);
    }
    if (payloads.contains(item.hash)) continue;
    const auto payload = golden::Store::Payload(then, item);
    golden::Case carried = item;
    carried.name = FreeName(names, item.name);
    carried.upgraded.clear();
    const Object object(root->type());
    if (TraceRead(root->type(), payload, revision.number, object.get()).ok)
      carried.upgraded = UpgradeOf(
          item.values,
          TraceWrite(root->type(), object.get(), history.latest().number, Leaves::AndMemory));
    recording.payloads.Add(payload);
    recording.record.cases.push_back(std::move(carried));
  }
  for (const RootType& root : registry.types) CheckBudget(root, history, recording);
  return recording;
}

}  // namespace revctl::harness
