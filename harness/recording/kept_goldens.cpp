#include "harness/recording/kept_goldens.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <utility>

#include "golden/payload_pack.h"
#include "harness/recording/recording.h"
#include "harness/samples/inventor.h"
#include "harness/samples/samples.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

/// Number of seeds to try for unrecorded values, because a body may reject some of the values.
constexpr std::uint64_t kSeedsTried = 4;
constexpr std::size_t kMostShown = 6;

/// Reverts a change if the current value in `leaves` is the change's result.
void TakeBack(const golden::Change& change, std::vector<golden::Leaf>& leaves) {
  const auto at = std::find_if(leaves.begin(), leaves.end(),
                               [&](const golden::Leaf& leaf) { return leaf.path == change.path; });
  const bool there = at != leaves.end();
  if (there != change.after.has_value() || (there && at->text != *change.after)) return;
  golden::Apply({{change.path, change.after, change.before}}, leaves);
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostShown); ++i)
    joined += (i == 0 ? "" : "; ") + texts[i];
  if (texts.size() > kMostShown) joined += fmt::format("; and {} more", texts.size() - kMostShown);
  return joined;
}

bool IsDerived(const std::string& path, const std::set<std::string>& derived) {
  return derived.contains(path.substr(0, path.find('~'))) || derived.contains(path) ||
         path.find("#integrity") != std::string::npos;
}

struct Read {
  Traced traced;
  std::optional<Object> object;
};

Read ReadBack(const revctl::TypeInfo& type, std::vector<std::byte> bytes, std::int64_t number) {
  Read read;
  read.object.emplace(type);
  read.traced = TraceRead(type, bytes, number, read.object->get());
  read.traced.bytes = std::move(bytes);
  return read;
}

bool Whole(const Traced& traced) { return traced.ok && traced.at_end; }

}  // namespace

void TakeBack(const KeptRecords& kept, std::size_t from, const std::string& type,
              const std::string& id, std::vector<golden::Leaf>& leaves) {
  for (std::size_t i = kept.size(); i-- > from;) {
    if (!kept[i].record) continue;
    std::string called = id;
    for (const KeptRecord& other : kept) {
      if (const auto found = other.called.find(id); found != other.called.end())
        called = found->second;
    }
    for (const golden::Upgrade& upgrade : kept[i].record->upgrades) {
      const bool about =
          std::any_of(upgrade.cases.begin(), upgrade.cases.end(),
                      [&](const std::string& named) { return named == id || named == called; });
      if (upgrade.type != type || !about) continue;
      for (const golden::Change& change : upgrade.changes) TakeBack(change, leaves);
    }
  }
}

std::set<std::string> PlacesChanged(const KeptRecord& kept, const std::string& type) {
  std::set<std::string> places;
  if (!kept.record) return places;
  for (const golden::Upgrade& upgrade : kept.record->upgrades) {
    if (upgrade.type != type) continue;
    for (const golden::Change& change : upgrade.changes) places.insert(PlaceOf(change.path));
  }
  return places;
}

void Losses::Add(const std::string& type, const golden::Change& change, const std::string& name) {
  const std::string place = PlaceOf(change.path);
  values_[{type + "." + place, change.after.has_value()}].push_back(
      fmt::format("{}{} had {}{}", name, change.path == place ? "" : " at " + change.path,
                  *change.before, change.after ? ", now " + *change.after : ""));
}

void Losses::AddGolden(const std::string& type, const std::string& name, const std::string& why) {
  goldens_[{type, why}].push_back(name);
}

std::vector<std::string> Losses::Texts() const {
  std::vector<std::string> texts;
  for (const auto& [what, names] : goldens_)
    texts.push_back(fmt::format("{}: these goldens were not kept ({}): {}", what.first,
                                Joined(names), what.second));
  for (const auto& [what, values] : values_) {
    texts.push_back(fmt::format(
        "{}: these values were not kept, because the current code {}: {}", what.first,
        what.second ? "reads them differently" : "does not visit the field", Joined(values)));
  }
  return texts;
}

namespace {

/// A golden with its recorded values, at the current number of its revision.
struct KeptGolden {
  Traced traced;   ///< contains the payload; the leaves are the golden's values
  Traced resaved;  ///< the golden after it was saved at the latest revision
  /// True if the golden has values that the record lacks, because other revisions have added
  /// fields.
  bool has_more = false;
};

/// Returns the golden. If the current code cannot read any payload with these values, returns
/// nullopt and adds to `losses`.
std::optional<KeptGolden> KeepGolden(const RootType& root, const golden::Case& item,
                                     std::int64_t number, std::int64_t latest, std::uint64_t seed,
                                     const Renames& renames, Losses& losses) {
  const revctl::TypeInfo& type = root.type();
  std::string why;
  for (std::uint64_t i = 0; i < kSeedsTried; ++i) {
    const Refilled refilled = Refill(type, item.values, number, seed * 1000 + i, renames);
    if (!refilled.ok) {
      if (why.empty())
        why = fmt::format("{}: {}", FromRoot(root.name, refilled.path), refilled.reason);
      continue;
    }
    Read read;
    if (!IsOpaque(type)) read = ReadBack(type, refilled.bytes, number);
    if (IsOpaque(type) || !Whole(read.traced)) {
      // Made-up values may conflict with recorded ones, for example if keys are equal.
      const Traced written = TraceWrite(type, refilled.object.get(), number);
      if (written.ok) read = ReadBack(type, written.bytes, number);
    }
    if (!Whole(read.traced)) {
      if (why.empty())
        why = fmt::format("{}: {}", FromRoot(root.name, read.traced.path), read.traced.reason);
      continue;
    }
    if (read.traced.leaves.size() > kMostLeaves ||
        read.traced.bytes.size() > golden::kLargestPayload) {
      why =
          fmt::format("has {} values in {} bytes; the limit for a golden is {} values in {} bytes",
                      read.traced.leaves.size(), read.traced.bytes.size(), kMostLeaves,
                      golden::kLargestPayload);
      break;
    }
    KeptGolden kept;
    for (const golden::Change& change : renames.Compare(item.values, read.traced.leaves)) {
      if (!change.before) {
        kept.has_more = true;
      } else if (!IsDerived(change.path, refilled.derived)) {
        losses.Add(root.name, change, item.name);
      }
    }
    kept.resaved = TraceWrite(type, read.object->get(), latest, Leaves::AndMemory);
    kept.traced = std::move(read.traced);
    return kept;
  }
  losses.AddGolden(root.name, item.name, why);
  return std::nullopt;
}

/// Adds automatic samples for fields that other revisions have added. Adds a numbered sample only
/// if it reaches a new place, and any other sample only if its name is new. Skips hand-written
/// samples, which KeepValues has already added.
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

/// True if one of the values is a block of numbers, which is recorded only as a hash.
bool HasBlock(const golden::Case& item) {
  return std::any_of(item.values.begin(), item.values.end(), [](const golden::Leaf& leaf) {
    return !leaf.text.starts_with('"') && leaf.text.find("-bytes-") != std::string::npos;
  });
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
    const auto today = std::find_if(samples.begin(), samples.end(), [&](const Written& sample) {
      return sample.name == item.name;
    });
    if (HasBlock(item) && today != samples.end()) {
      goldens.push_back(*today);
      continue;
    }
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
                       "the current code does not register the type at this revision, or the "
                       "revision does not change it");
  }
}

}  // namespace revctl::harness
