#include "harness/recording/record_parts.h"

#include <fmt/core.h>
#include <algorithm>

#include "harness/samples/sample_makers.h"
#include "harness/samples/samples.h"
#include "harness/samples/type_run.h"

namespace revctl::harness {

using golden::kLargestPayload;

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
  if (options.unfolded.contains(revision.name)) {
    for (const Revision& one : history.revisions()) {
      if (options.unfolded.contains(one.name)) record.pending.emplace_back(one.name, one.number);
    }
  }
  record.provenance = {options.command, history.latest().name, CompilerName(), REVCTL_VERSION,
                       options.seed};
  return record;
}

namespace {

/// `players[1].name: `, of a visit that failed; empty where the body itself refused.
std::string Place(const Traced& traced) { return traced.path.empty() ? "" : traced.path + ": "; }

}  // namespace

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
    ++now.made;
    const auto trouble = [&](const std::string& why) {
      if (now.refusal.empty()) now.refusal = why;
      if (sample.by_hand)
        troubles.push_back(fmt::format("{}, sample {}: {}", root.name, sample.name, why));
    };
    if (!written.ok) {
      trouble(fmt::format("cannot be written: {}{}", Place(written), written.reason));
      continue;
    }
    const Object again(type);
    Traced read = TraceRead(type, written.bytes, number, again.get());
    notes.Merge(read.notes);
    if (!read.ok || !read.at_end) {
      trouble(fmt::format("is written but not read back: {}{}", Place(read),
                          read.ok ? "bytes are left over" : read.reason));
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

void SayRefused(const RootType& root, std::int64_t latest, std::uint64_t seed, const TypeNow& now,
                Recording& recording) {
  const bool told = std::any_of(
      recording.troubles.begin(), recording.troubles.end(),
      [&](const std::string& trouble) { return trouble.starts_with(root.name + ", sample "); });
  if (!now.samples.empty() || told) return;
  std::string why = now.refusal;
  if (now.made == 0) {  // refused while they were made
    const Object object = FillSample(root.type(), latest, seed * 1000, nullptr);
    const Traced written = TraceWrite(root.type(), object.get(), latest);
    why = fmt::format("cannot be written: {}{}", Place(written), written.reason);
  }
  recording.troubles.push_back(
      fmt::format("{}: 0 of {} samples taken: the first {}; write one that it takes: "
                  "HARNESS_SAMPLE({}, \"name\") {{...}}",
                  root.name, now.made == 0 ? kSampleSeeds : now.made, why, root.name));
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
  recording.troubles.push_back(
      fmt::format("{}: its goldens would take {} KiB, more than their budget of {} KiB: fewer or "
                  "smaller samples, or HARNESS_BUDGET({}, {});",
                  root.name, cost / 1024, root.budget / 1024, root.name, cost * 2));
}

golden::RecordedType Recorded(const TypeTrace& trace) {
  golden::RecordedType type{trace.layout, trace.removed};
  for (auto* fields : {&type.layout.fields, &type.removed}) {
    for (revctl::LayoutField& field : *fields) {
      field.file.clear();
      field.line = 0;
      field.spelled.clear();
      field.reference = false;
    }
  }
  return type;
}

std::string CompilerName() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

}  // namespace revctl::harness
