// What is added to a revision that is recorded already.
#include <fmt/core.h>
#include <algorithm>

#include "harness/recording/add_files.h"
#include "harness/recording/add_reaching.h"
#include "harness/recording/record_parts.h"
#include "harness/samples/samples.h"
#include "harness/samples/type_run.h"
#include "harness/signals/inherited.h"

namespace revctl::harness {

using golden::kLargestPayload;

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
    if (goldens.empty()) SayRefused(root, history.latest().number, options.seed, now, recording);
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
    recording.troubles.push_back(read.ok
                                     ? root.name + " ends before the file does"
                                     : fmt::format("{}.{} at offset {} of the payload: {}",
                                                   root.name, read.path, read.offset, read.reason));
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

}  // namespace revctl::harness
