// GH007 for upgrade code: reports upgrade code for files that no golden covers, and upgrade code
// that changes no golden.
#include <fmt/core.h>
#include <algorithm>
#include <limits>
#include <set>

#include "harness/history/upgraded_values.h"
#include "harness/samples/reaching.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

/// Returns the number of a body's oldest gate. Before that revision, no file contains this type.
std::int64_t Born(const TypeTrace& trace) {
  std::int64_t born = kEver;
  for (const revctl::LayoutField* const field : trace.AllFields()) {
    if (!field->since.empty()) born = std::min(born, field->since_number);
  }
  return born;
}

/// True if the code that made the golden's values still had the field that ended at `until`. Later
/// code has only a REM, and writes the default of its local variable instead of a field's value.
bool WrittenByCodeBefore(const History& history, const Golden& golden, std::int64_t until) {
  const golden::Provenance& provenance = golden.record->record.provenance;
  if (provenance.command == "import") return true;
  const Revision* code = history.Find(provenance.code);
  return code == nullptr || code->number < until;  // null if the revision was purged
}

/// Adds to `values` the values of all fields called `name` in a golden with extreme values. Such a
/// golden has generated values even for removed fields.
void AddInvented(const Golden& golden, const std::string& name, std::set<std::string>& values) {
  if (!IsReaching(golden.item->name)) return;
  for (const golden::Leaf& leaf : golden.item->values) {
    if (leaf.path == name || leaf.path.ends_with("." + name)) values.insert(leaf.text);
  }
}

/// If all goldens with a removed field were written after the removal, returns the commands that
/// wrote them. Returns none if one of them was written by code that still had the field, or if the
/// field has generated values.
std::set<std::string> WrittenTooLate(const History& history, const RootType& root,
                                     const revctl::LayoutField& field) {
  std::set<std::string> commands, invented;
  if (field.since.empty() || field.until.empty()) return commands;
  for (const Golden& golden : history.Goldens(root.name)) {
    const std::int64_t number = history.revisions()[golden.revision].number;
    if (number < field.since_number || number >= field.until_number) continue;
    if (WrittenByCodeBefore(history, golden, field.until_number)) return {};
    commands.insert(golden.record->record.provenance.command);
    AddInvented(golden, field.name, invented);
  }
  if (invented.size() > 1) commands.clear();
  return commands;
}

/// Reports removed fields whose upgrade code is uncovered, because all goldens with these fields
/// were written after the removal.
void CheckWrittenTooLate(CheckContext& context, const RootType& root, const RevisionRun& now) {
  for (const auto& [type, trace] : now.layouts) {
    for (const revctl::LayoutField& field : trace.removed) {
      const auto commands = WrittenTooLate(context.history, root, field);
      if (commands.empty()) continue;
      std::string by;
      for (const std::string& command : commands) by += (by.empty() ? "" : ", ") + command;
      AddUncovered(
          context, root, Severity::Note, type, field,
          fmt::format("{}.{}: ", type, field.name) +
              fmt::format(
                  "its goldens older than {} were written by the current code ({}) with the "
                  "field's default, so none of them exercises the upgrade code with other values",
                  field.until, by),
          ImportCommand(context, root, field.name) + "   # a file of an older revision",
          "backfilled", {.mentioned = {field.until}});
    }
  }
}

/// Returns the line in a body where it compares the revision with this revision or with the number
/// before it.
revctl::LayoutField PlaceOfTurn(const History& history, const TypeTrace& trace,
                                const Revision& revision) {
  std::vector<RevisionSpelling> spellings = {{revision.name, revision.number}};
  if (const Revision* before = history.Find(revision.number - 1))
    spellings.push_back({before->name, before->number});
  const SourcePlace asked = ComparisonPlace(trace, spellings);
  revctl::LayoutField place;
  place.file = asked.file;
  place.line = asked.line;
  return place;
}

/// True if a comparison with the revision at `index` may affect more than the values of old fields:
/// if it controls visits without being a gate, or if the revision adds a field, whose initial value
/// upgrade code may set.
bool MeansMore(const History& history, const std::string& type, const TypeTrace& now,
               std::size_t index) {
  const golden::RecordedType* before = history.TypeAt(type, index - 1);
  if (before == nullptr) return true;
  const Revision& revision = history.revisions()[index];
  const std::int64_t then = history.revisions()[index - 1].number;
  std::vector<std::string> recorded, expected;
  for (const revctl::LayoutField& field : before->layout.fields) recorded.push_back(field.type);
  for (const revctl::LayoutField* const field : now.AllFields()) {
    const bool gated = !field->since.empty();
    if (gated && field->since_number == revision.number) return true;
    if (field->condition.find("revision") != std::string::npos &&
        Mentions(field->condition, revision.name))
      return true;
    const bool begun = !gated || field->since_number <= then;
    if (begun && (field->until.empty() || field->until_number > then))
      expected.push_back(field->type);
  }
  std::sort(recorded.begin(), recorded.end());
  std::sort(expected.begin(), expected.end());
  return recorded != expected;
}

/// Reports upgrade code that changes no value of any golden, possibly because it depends on data
/// that no golden contains.
void CheckTurnThatChangesNothing(CheckContext& context, const TypeRun& run, const std::string& type,
                                 const TypeTrace& now, std::size_t index, std::int64_t next,
                                 UpgradedValues& upgraded) {
  const History& history = context.history;
  const Revision& revision = history.revisions()[index];
  if (context.Broken(run.root()) || index == 0 || MeansMore(history, type, now, index)) return;
  const bool said =
      std::any_of(now.removed.begin(), now.removed.end(), [&](const revctl::LayoutField& field) {
        return field.until_number == revision.number &&
               !WrittenTooLate(history, run.root(), field).empty();
      });
  if (said) return;
  // Code such as `if (r.revision >= SR_X && r.revision < SR_Y)` changes only files of SR_X and
  // later.
  if (const auto seen =
          upgraded.Look(type, std::numeric_limits<std::int64_t>::min(), revision.number);
      !seen.goldens || seen.changed || upgraded.Look(type, revision.number, next).changed)
    return;
  AddUncovered(
      context, run.root(), Severity::Note, type, PlaceOfTurn(history, now, revision),
      fmt::format("{}: its code for files older than {} changes no value of any golden; if the "
                  "code also depends on data, no golden contains such data",
                  type, revision.name),
      fmt::format("{}   # a file older than {} that the code changes",
                  ImportCommand(context, run.root(), "before-" + revision.name), revision.name),
      "nothing older than " + revision.name, {.at = revision.name, .mentioned = {revision.name}});
}

/// Returns the oldest recorded revision in [from, to). Returns null unless the whole range inherits
/// older goldens of the root type.
const Revision* OldestUntested(const History& history, const RootType& root, std::int64_t from,
                               std::int64_t to) {
  bool inherits = false;
  for (const Golden& golden : history.Goldens(root.name)) {
    const std::int64_t number = history.revisions()[golden.revision].number;
    if (number >= from && number < to) return nullptr;
    inherits = inherits || number < from;
  }
  if (!inherits) return nullptr;
  const auto& revisions = history.revisions();
  const auto first =
      std::find_if(revisions.begin(), revisions.end(), [&](const Revision& revision) {
        return revision.record != nullptr && revision.number >= from;
      });
  return first != revisions.end() && first->number < to ? &*first : nullptr;
}

/// Checks code such as `if (r.revision < SR_B) .. else if (r.revision < SR_C) ..`. If files from
/// SR_B on have the same layout as older files, no goldens were recorded at SR_B, so no golden
/// reaches the second branch.
void CheckBetween(CheckContext& context, const TypeRun& run, const std::string& type,
                  const TypeTrace& now, const std::map<std::int64_t, TypeRun::Sides>& numbers,
                  std::int64_t born) {
  const History& history = context.history;
  if (context.Broken(run.root()) || !history.AllKnown()) return;
  const auto asked = [](const auto& number) { return number.second.asked; };
  for (auto turn = numbers.begin(); turn != numbers.end(); ++turn) {
    if (!asked(*turn)) continue;
    const auto next = std::find_if(std::next(turn), numbers.end(), asked);
    const Revision* until = next == numbers.end() ? nullptr : history.Find(next->first);
    const std::int64_t to = next == numbers.end() ? kEver : next->first;
    const Revision* first = OldestUntested(history, run.root(), std::max(turn->first, born), to);
    // Files that the body rejects need no golden.
    if (first == nullptr ||
        InheritedAt(run.root(), history, history.IndexOf(*first), context.renames).empty())
      continue;
    // Re-recording the revision adds goldens for the body's current comparisons. That does not help
    // if the code belongs to a pending revision.
    const std::string refresh = first->number == turn->first && context.pending().empty()
                                    ? context.Refresh(history.IndexOf(*first))
                                    : "";
    const bool told = AddUncovered(
        context, run.root(), Severity::Warning, type, PlaceOfTurn(history, now, *first),
        type + ": " +
            fmt::format("no golden exercises its code for files from {0} on{1}, because the code "
                        "did not yet distinguish them from older files when {0} was recorded",
                        first->name, until == nullptr ? "" : " and older than " + until->name),
        refresh.empty() ? context.options.program + " record" : refresh,
        "from " + first->name + (until == nullptr ? "" : " until " + until->name),
        {.at = first->name, .mentioned = {first->name}});
    if (told && refresh.empty()) context.untested.push_back({run.root().name, first->name});
  }
}

/// True if an object of `type` is in a golden that is older than `number` and belongs to an Opaque
/// root type. A module may have its own goldens and also be part of whole files.
bool IsInOlderFile(const CheckContext& context, const std::string& type, std::int64_t number) {
  const History& history = context.history;
  const auto holds = [&](const Golden& golden) {
    // An imported file may be older than the first record.
    const std::size_t index = std::max(golden.revision, history.oldest_recorded());
    const auto& values = golden.item->values;
    return history.revisions()[golden.revision].number < number &&
           std::any_of(values.begin(), values.end(), [&](const golden::Leaf& leaf) {
             const auto steps = PathTo(history, index, golden.item->type, leaf.path).steps;
             return std::any_of(steps.begin(), steps.end(),
                                [&](const PathStep& step) { return step.type == type; });
           });
  };
  return std::any_of(
      context.registry.types.begin(), context.registry.types.end(), [&](const RootType& root) {
        const auto goldens = history.SmallAndLarge(root.name);
        return IsOpaque(root.type()) && std::any_of(goldens.begin(), goldens.end(), holds);
      });
}

/// Checks that goldens cover both results of each comparison with a revision, because the code that
/// depends on the comparison, such as a gate or upgrade code, runs for only one result.
void CheckTurns(CheckContext& context, const TypeRun& run, const RevisionRun& now) {
  const History& history = context.history;
  const auto& revisions = history.revisions();
  UpgradedValues upgraded(context.registry, history, context.renames, now.records);
  for (const auto& [type, numbers] : run.sides()) {
    const auto trace = now.layouts.find(type);
    if (trace == now.layouts.end()) continue;
    const std::int64_t born =
        std::max({Born(trace->second), run.root().entry.since, revisions.front().number});
    CheckBetween(context, run, type, trace->second, numbers, born);
    for (auto turn = numbers.begin(); turn != numbers.end(); ++turn) {
      const auto& [number, seen] = *turn;
      if ((seen.below && !seen.asked) || number <= born || number > history.latest().number)
        continue;
      const Revision* revision = history.Find(number);
      if (revision == nullptr) continue;
      if (!seen.below) {
        if (IsOpaque(run.root().type()) && IsInOlderFile(context, type, number)) continue;
        AddUncovered(context, run.root(), Severity::Warning, type,
                     PlaceOfTurn(history, trace->second, *revision),
                     fmt::format("{}: no golden and no sample reaches its code for files older "
                                 "than {} (gates, upgrade code)",
                                 type, revision->name),
                     OlderGoldens(context, run.root()), "older than " + revision->name,
                     {.mentioned = {revision->name}});
        continue;
      }
      // The record of a pending revision will show its effects.
      const std::size_t index = history.IndexOf(*revision);
      if (index > history.newest_recorded() || !history.AllKnown()) continue;
      const auto next = std::find_if(std::next(turn), numbers.end(),
                                     [](const auto& later) { return later.second.asked; });
      CheckTurnThatChangesNothing(context, run, type, trace->second, index,
                                  next == numbers.end() ? kEver : next->first, upgraded);
    }
  }
}

}  // namespace

void CheckUpgradeCode(CheckContext& context, const TypeRun& run, const RevisionRun& now) {
  if (context.history.newest_recorded() != History::none()) CheckTurns(context, run, now);
  CheckWrittenTooLate(context, run.root(), now);
}

}  // namespace revctl::harness
