#include "harness/recording/record_parts.h"

#include <fmt/core.h>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "golden/large_payload.h"
#include "harness/files/file_frame.h"
#include "harness/samples/reaching.h"
#include "harness/samples/sample_filler.h"
#include "harness/samples/samples.h"
#include "harness/samples/type_run.h"
#include "harness/trace/declarations.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

namespace {

std::string CompilerName() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

/// Describes why a visit failed: `Team.players[1].name: too long`.
std::string WhyNot(const RootType& root, const Traced& traced) {
  return FromRoot(root.name, traced.path) + ": " + traced.reason;
}

}  // namespace

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

TypeNow Look(const RootType& root, const std::vector<Sample>& samples, std::int64_t number,
             std::int64_t latest, std::vector<std::string>& troubles) {
  const revctl::TypeInfo& type = root.type();
  TypeNow now;
  LayoutNotes notes;
  std::set<std::uint64_t> payloads;  // hashes of the payloads
  for (const Sample& sample : samples) {
    const Object object = sample.make(number, &notes);
    ++now.made;
    // Do not collect the values of a large payload, because it may contain millions of them. Do not
    // determine the size with the program's own streams, because they may fail on objects that no
    // golden contains.
    const bool own_streams = root.entry.checksum == nullptr;
    std::vector<std::byte> bytes;
    bool large = !own_streams && root.Write(number, object.get(), bytes).ok &&
                 bytes.size() > golden::kLargestSmallPayload;
    Traced written = TraceWrite(type, object.get(), number, large ? Leaves::Untold : Leaves::Told);
    if (own_streams) large = written.bytes.size() > golden::kLargestSmallPayload;
    notes.Merge(written.notes);
    const auto trouble = [&](const std::string& why) {
      if (now.refusal.empty()) now.refusal = why;
      if (!sample.by_hand) return;
      now.rejects_sample_by_hand = true;
      troubles.push_back(fmt::format("{}, sample {}: {}", root.name, sample.name, why));
    };
    if (!written.ok) {
      trouble("cannot be written: " + WhyNot(root, written));
      continue;
    }
    const Object again(type);
    Traced read =
        TraceRead(type, written.bytes, number, again.get(), large ? Leaves::Untold : Leaves::Told);
    notes.Merge(read.notes);
    if (!read.ok || !read.at_end) {
      trouble("cannot be read back: " + (read.ok ? "unread bytes remain" : WhyNot(root, read)));
      continue;
    }
    if (!payloads.insert(golden::PayloadHash(written.bytes)).second && !sample.by_hand) continue;
    if (large || written.leaves.size() > kMostLeaves) {
      now.large.push_back({sample.name, std::move(written.bytes)});
      continue;
    }
    const Traced resaved = TraceWrite(type, again.get(), latest, Leaves::AndMemory);
    auto upgraded = UpgradeOf(read.leaves, resaved);
    written.leaves = std::move(read.leaves);
    now.samples.push_back({sample.name, sample.by_hand, std::move(written), std::move(upgraded)});
  }
  now.layouts = notes.Layouts(number);
  AddDefaults(notes, number, now.layouts);
  for (auto& [name, trace] : now.layouts) AddMembers(trace);
  now.enums = notes.Enums();
  return now;
}

std::optional<std::size_t> SizeIfTooLarge(const RootType& root, std::int64_t latest,
                                          std::uint64_t seed) {
  if (!root.samples.empty()) return std::nullopt;  // a hand-written sample may fit
  const Object fresh(root.type());
  const Traced least = TraceWrite(root.type(), fresh.get(), latest);
  const auto is_too_large = [](const Traced& written) {
    return written.ok && written.bytes.size() > golden::kLargestLargePayload;
  };
  if (!is_too_large(least)) return std::nullopt;
  const Object filled = FillSample(root.type(), latest, seed * 1000, nullptr);
  if (!is_too_large(TraceWrite(root.type(), filled.get(), latest))) return std::nullopt;
  return least.bytes.size();
}

std::string TooLargeText(const std::string& type, std::size_t bytes) {
  return fmt::format("{}: even an empty object has {} bytes; the limit for a golden is {} bytes",
                     type, bytes, golden::kLargestLargePayload);
}

void SayRefused(const RootType& root, std::int64_t latest, std::uint64_t seed, const TypeNow& now,
                Recording& recording) {
  if (!now.samples.empty() || !now.large.empty() || now.rejects_sample_by_hand) return;
  std::string why = now.refusal;
  if (now.made == 0) {  // no automatic sample could be written; write one again to get the reason
    const Object object = FillSample(root.type(), latest, seed * 1000, nullptr);
    const Traced written = TraceWrite(root.type(), object.get(), latest);
    why = "cannot be written: " + WhyNot(root, written);
  }
  recording.troubles.push_back(fmt::format(
      "{}: the code rejects all {} samples (the first {}); write a sample that the code accepts: "
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
  for (const Golden& golden : history.Goldens(root.name)) {
    if (history.revisions()[golden.revision].name == recording.record.revision)
      cost += StoredCost(golden.item->size, golden.item->values);
  }
  for (const golden::Case& item : recording.record.cases) {
    if (item.type != root.name) continue;
    cost += StoredCost(item.size, item.values);
    added = true;
  }
  if (!added || cost <= root.budget) return;
  recording.troubles.push_back(fmt::format(
      "{}: its goldens of {} would take {} KiB, more than their budget of {} KiB: use fewer or "
      "smaller samples, or HARNESS_BUDGET({}, {});",
      root.name, recording.record.revision, cost / 1024, root.budget / 1024, root.name, cost * 2));
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

namespace {

struct LastFile {
  const golden::RevisionRecord* record = nullptr;
  const golden::RecordedFile* file = nullptr;
};

LastFile Last(const RootType& root, const History& history) {
  LastFile last;
  const auto look = [&](const golden::StoredRecord& stored) {
    for (const golden::RecordedFile& file : stored.record.files) {
      if (file.type == root.name) last = {&stored.record, &file};
    }
  };
  for (const Revision& revision : history.revisions()) {
    if (revision.record != nullptr) look(*revision.record);
    for (const golden::StoredRecord* addition : revision.additions) look(*addition);
  }
  return last;
}

bool IsAsToday(const RootType& root, const revctl::ListTable& list, const LastFile& last) {
  revctl::FileParts parts;
  if (!OpenFrame(root, list, last.file->bytes, parts).Ok()) return false;
  const auto today = RecordFile(root, last.record->number, last.record->lineage, parts.payload);
  return today && *today == *last.file;
}

}  // namespace

void AddFile(const RootType& root, const History& history, std::size_t index, bool renewed,
             Recording& recording) {
  if (!SaysFrame(root)) return;
  if (const LastFile last = Last(root, history); last.file != nullptr) {
    const revctl::ListTable none{"", {}, 0};
    if (!renewed || IsAsToday(root, none, last)) return;
  }
  const Revision& revision = history.revisions()[index];
  std::span<const std::byte> smallest;
  bool any = false;
  const auto consider = [&](std::span<const std::byte> payload) {
    if (!any || payload.size() < smallest.size()) smallest = payload;
    any = true;
  };
  for (const golden::Case& item : recording.record.cases) {
    if (item.type != root.name) continue;
    if (const auto* payload = recording.payloads.Find(item.hash)) consider(*payload);
  }
  // Use a golden of any revision, because a frame does not depend on its payload.
  for (const Golden& golden : history.Goldens(root.name)) consider(golden.payload());
  if (!any) return;
  if (auto file = RecordFile(root, revision.number, revision.lineage, smallest))
    recording.record.files.push_back(std::move(*file));
}

namespace {

/// Far-reaching goldens may use 1/16 of the budget in one record, and 1/2 in all records.
constexpr std::uint64_t kMostOfOneRecord = 16, kMostOfAll = 2;
/// Maximum size in bytes, because `sweep` truncates each golden at every byte.
constexpr std::uint64_t kMostOfOne = 32U << 10;

std::uint64_t CostOf(const Written& sample) {
  return StoredCost(sample.traced.bytes.size(), sample.traced.leaves);
}

struct Stored {
  std::set<std::string> places;  ///< places that the goldens reach
  std::set<std::string> names;   ///< names of goldens in use at the revision
  std::uint64_t cost = 0;
};

Stored StoredOf(const RootType& root, const History& history, std::size_t index,
                const std::vector<Written>& samples) {
  Stored stored;
  const auto add = [&](const std::vector<golden::Leaf>& leaves) {
    for (const golden::Leaf& leaf : leaves) stored.places.insert(PlaceOf(leaf.path));
  };
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == index) {
      stored.cost += StoredCost(golden.item->size, golden.item->values);
      stored.names.insert(golden.item->name);
    }
    if (golden.revision <= index && IsReaching(golden.item->name)) add(golden.item->values);
  }
  for (const Written& sample : samples) {
    stored.cost += CostOf(sample);
    stored.names.insert(sample.name);
    if (IsReaching(sample.name)) add(sample.traced.leaves);
  }
  return stored;
}

}  // namespace

void AddReaching(const RootType& root, const History& history, std::size_t index,
                 const RecordingOptions& options, std::vector<Written>& samples,
                 std::vector<std::string>& warnings) {
  const revctl::TypeInfo& type = root.type();
  const std::int64_t number = history.revisions()[index].number, latest = history.latest().number;
  Stored stored = StoredOf(root, history, index, samples);
  if (stored.cost >= root.budget / kMostOfAll) return;
  std::uint64_t left =
      std::min(root.budget / kMostOfOneRecord, root.budget / kMostOfAll - stored.cost);
  const ReachingPayloads made = MakeReaching(root, number, latest, options.seed, stored.places,
                                             std::min(left / 2, kMostOfOne));
  for (const std::string& ending : made.endings) {
    warnings.push_back(fmt::format(
        "{}: reading made-up values terminates the process ({}), so no golden contains them; "
        "`sweep --fuzz` searches for such files",
        root.name, ending));
  }
  std::size_t next = 1;
  for (const auto& payload : made.payloads) {
    const Object object(type);
    Written written{"", false, TraceRead(type, payload, number, object.get()), {}};
    written.traced.bytes = payload;
    const std::uint64_t cost = CostOf(written);
    if (cost > left) continue;
    left -= cost;
    const Traced resaved = TraceWrite(type, object.get(), latest, Leaves::AndMemory);
    written.upgraded = UpgradeOf(written.traced.leaves, resaved);
    do written.name = kReaching + std::to_string(next++);
    while (!stored.names.insert(written.name).second);
    samples.push_back(std::move(written));
  }
}

}  // namespace revctl::harness
