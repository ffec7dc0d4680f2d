#include "harness/recording/carry_over.h"

#include <fmt/core.h>
#include <set>

#include "harness/recording/record_parts.h"
#include "harness/trace/tracing.h"
#include "revctl/base/hex.h"

namespace revctl::harness {
namespace {

std::string Place(std::int64_t number, std::uint64_t lineage) {
  return fmt::format("{} with lineage {}", number, base::Hex(lineage, 16));
}

/// A name that no golden of the type has at the revision.
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
        "{} is {} in the list of that commit, and {} in today's: files of that time are not files "
        "of this revision",
        revision.name, Place(old.number, old.lineage), Place(revision.number, revision.lineage)));
    return recording;
  }
  const std::size_t index = history.IndexOf(revision);
  recording.record = Header(history, index, options);
  recording.record.provenance.code = old.provenance.code;
  // What a record of today's code says already stays.
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
    if (root == nullptr) continue;  // retired: its goldens are no longer read
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
