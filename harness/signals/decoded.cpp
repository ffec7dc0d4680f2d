#include "harness/signals/decoded.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <utility>

#include "harness/history/harmless_changes.h"
#include "harness/signals/check_context.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

Decoded Decode(const RootType& root, const Golden& golden, std::int64_t number,
               std::int64_t latest) {
  const Stopwatch watch;
  Decoded decoded;
  decoded.golden = &golden;
  decoded.number = number;
  const Object object(root.type());
  decoded.read = TraceRead(root.type(), golden.payload(), number, object.get());
  decoded.complete = decoded.read.ok && decoded.read.at_end;
  if (decoded.complete) {
    decoded.resaved = TraceWrite(root.type(), object.get(), latest, Leaves::AndMemory);
    decoded.saved = decoded.resaved.ok;
  }
  decoded.milliseconds = watch.Milliseconds();
  return decoded;
}

bool ReadsAsRecorded(const History& history, const Decoded& decoded, Renames renames) {
  if (!decoded.complete) return false;
  AddNamesOfLocals(history, decoded.read.notes.Layouts(decoded.number), renames);
  return renames.Compare(decoded.golden->item->values, decoded.read.leaves).empty();
}

std::string LeafAt(const Decoded& decoded, std::size_t offset) {
  const auto& offsets = decoded.read.offsets;  // sorted in ascending order
  const auto after = std::upper_bound(offsets.begin(), offsets.end(), offset);
  return after == offsets.begin()
             ? ""
             : decoded.read.leaves[static_cast<std::size_t>(after - offsets.begin()) - 1].path;
}

/// CPU time limit for reading and writing one golden. A reader that misinterprets bytes may loop
/// for a long time or allocate too much memory.
constexpr unsigned kMostSeconds = 5;

std::vector<Decoded> DecodeAll(CheckContext& context, const RootType& root) {
  const History& history = context.history;
  std::vector<Decoded> all;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (!Progress::Enter(root.name, "golden " + golden.id, kMostSeconds)) continue;
    const Revision& revision = history.revisions()[golden.revision];
    Decoded decoded = Decode(root, golden, revision.number, history.latest().number);
    if (!decoded.complete ||
        !context.renames.Compare(golden.item->values, decoded.read.leaves).empty())
      context.misread.emplace(root.name, revision.name);
    all.push_back(std::move(decoded));
    Progress::Relax();
  }
  return all;
}

std::size_t ServesUntil(const RootType& root, const History& history, const Golden& golden) {
  return IsOpaque(root.type()) ? history.OpaqueUntil(golden) : history.InheritedUntil(golden);
}

std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames) {
  // The goldens in force come from the newest earlier record with goldens, and from later additions
  // to that record.
  std::size_t since = 0;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision < index && !golden.record->addition) since = golden.revision;
  }
  if (!history.Recorded(since, index)) return {};
  std::vector<Inherited> inherited;
  std::set<std::string> names;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == index) return {};
    if (golden.revision < since || golden.revision > index) continue;
    if (IsOpaque(root.type()) && history.OpaqueUntil(golden) <= index) continue;
    Golden file = history.AsFileOf(golden, index);
    Decoded decoded =
        Decode(root, file, history.revisions()[index].number, history.latest().number);
    if (!decoded.saved || !ReadsAsRecorded(history, decoded, renames)) continue;
    if (names.insert(golden.item->name).second)
      inherited.push_back({std::move(file), std::move(decoded.resaved)});
  }
  return inherited;
}

std::string Side(const std::optional<std::string>& side) { return side ? *side : "absent"; }

std::string AndMore(std::size_t differing) {
  if (differing <= 1) return "";
  return ", and " + std::to_string(differing - 1) +
         (differing == 2 ? " more value differs" : " more values differ");
}

std::string ReadInstead(const golden::Change& change) {
  return fmt::format(
      "was {}, {}", Side(change.before),
      change.after ? "but is now read as " + *change.after : "but is no longer read");
}

std::string ReadAsWritten(const std::string& revision) {
  return fmt::format(
      "read files of {} as they were written: same fields, same order, same conditions", revision);
}

void ForgetUpgraded(const CheckContext& context, std::int64_t number,
                    const std::vector<golden::Leaf>& expected,
                    std::vector<golden::Change>& changes) {
  if (!context.pending().empty() && number < context.history.latest().number) changes.clear();
  std::erase_if(changes, [&](const golden::Change& change) {
    const golden::Leaf* const leaf = FindLeaf(expected, change.path);
    // The upgrade drops or resets values that only older files contain, such as the value of a REM.
    return leaf == nullptr ? change.before.has_value() : change.after == leaf->text;
  });
}

std::string UpgradedInstead(const golden::Change& change) {
  if (!change.before)
    return fmt::format("upgraded to {}, although no value was recorded", Side(change.after));
  if (!change.after)
    return "no longer present after the upgrade, but was recorded as " + *change.before;
  return fmt::format("upgraded to {}, not to {}", *change.after, *change.before);
}

std::string OrReview(const std::string& program) {
  return "\nor, if the new value is right and no build with the old value was released:\n" +
         program + " review";
}

std::string ShownChanges(const Renames& renames, const std::vector<golden::Change>& changes,
                         const std::vector<golden::Leaf>& now) {
  std::string lines;
  for (std::size_t i = 0; i < changes.size() && i < kShown; ++i) {
    lines += "\n" + PathNow(renames, changes[i].path, now) + ": recorded " +
             Side(changes[i].before) + ", now " + Side(changes[i].after);
  }
  if (changes.size() > kShown) lines += fmt::format("\nand {} more", changes.size() - kShown);
  return lines;
}

}  // namespace revctl::harness
