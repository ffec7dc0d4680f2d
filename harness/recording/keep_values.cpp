#include "harness/recording/keep_values.h"

#include <algorithm>
#include <set>
#include <utility>

#include "golden/payload_pack.h"
#include "harness/samples/samples.h"

namespace revctl::harness {
namespace {

/// Samples of what the goldens do not hold yet, where other revisions gave the type more fields:
/// those that no record had before, and automatic ones that bring something new.
void AddNewSamples(std::vector<Written> samples, std::vector<Written>& goldens) {
  std::set<std::string> reached, names;
  std::set<std::uint64_t> payloads;
  for (const Written& golden : goldens) {
    names.insert(golden.name);
    payloads.insert(golden::PayloadHash(golden.traced.bytes));
    for (const std::string& place : Reached(golden.traced)) reached.insert(place);
  }
  for (Written& sample : samples) {
    const bool numbered = sample.name.starts_with(kAutomatic);
    if (sample.by_hand || (!numbered && names.contains(sample.name))) continue;
    std::size_t fresh = 0;
    for (const std::string& place : Reached(sample.traced)) fresh += reached.insert(place).second;
    if ((numbered && fresh == 0) ||
        !payloads.insert(golden::PayloadHash(sample.traced.bytes)).second)
      continue;
    for (std::size_t next = 1; names.contains(sample.name); ++next)
      sample.name = kAutomatic + std::to_string(next);
    names.insert(sample.name);
    goldens.push_back(std::move(sample));
  }
}

}  // namespace

const golden::RevisionRecord* RecordBefore(const RecordingOptions& options) {
  const auto* before = options.kept ? &(*options.kept)[options.kept_at].record : nullptr;
  return before != nullptr && *before ? &**before : nullptr;
}

void KeepValues(const RootType& root, std::int64_t number, std::int64_t latest,
                const RecordingOptions& options, std::vector<Written>& samples, Losses& losses) {
  const golden::RevisionRecord* before = RecordBefore(options);
  if (before == nullptr) return;
  std::vector<Written> goldens;
  std::set<std::string> names;
  bool has_more = false;
  for (const golden::Case& item : before->cases) {
    if (item.type != root.name) continue;
    names.insert(item.name);
    auto kept = KeepGolden(root, item, number, latest, options.seed, options.renames, losses);
    if (!kept) continue;
    has_more = has_more || kept->has_more;
    std::vector<golden::Change> upgraded;
    if (kept->resaved.ok) {
      TakeBack(*options.kept, options.kept_at + 1, root.name,
               golden::CaseId(before->revision, item.name), kept->resaved.leaves);
      upgraded = UpgradeOf(kept->traced.leaves, kept->resaved);
    }
    goldens.push_back({item.name, false, std::move(kept->traced), std::move(upgraded)});
  }
  if (names.empty()) return;
  for (Written& sample : samples) {
    if (sample.by_hand && !names.contains(sample.name)) goldens.push_back(sample);
  }
  if (has_more || goldens.empty()) AddNewSamples(std::move(samples), goldens);
  samples = std::move(goldens);
}

void TellOfDropped(const RecordingOptions& options, const Recording& recording, Losses& losses) {
  const golden::RevisionRecord* before = RecordBefore(options);
  if (before == nullptr) return;
  const auto& changed = recording.changed;
  for (const golden::Case& item : before->cases) {
    if (std::find(changed.begin(), changed.end(), item.type) == changed.end())
      losses.AddGolden(item.type, item.name,
                       "today's code registers no such type there, or the revision changes nothing "
                       "of it");
  }
}

}  // namespace revctl::harness
