// GH001 for enums: checks that every recorded value still has its name. Each edit of an enum is
// reported as one finding.
#include <fmt/core.h>
#include <algorithm>

#include "harness/advice/enum_advice.h"
#include "harness/signals/layout_finding.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

enum class Fields { Live, All };
/// True if files of the root type may contain the enum in a field of the kind selected by `which`.
bool Holds(const RevisionRun& now, const std::string& root, const std::string& name, Fields which) {
  std::vector<std::string> wires = {root};
  std::set<std::string> known;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    const std::string wire = wires[i];
    if (Mentions(wire, name) || Mentions(wire, "object") || Mentions(wire, "polymorphic"))
      return true;  // an object stream may contain objects of any class
    for (const auto& [type, trace] : now.layouts) {
      if (!Mentions(wire, type) || !known.insert(type).second) continue;
      for (const auto& field : trace.layout.fields) wires.push_back(field.type);
      if (which == Fields::Live) continue;
      for (const auto* fields : {&trace.removed, &trace.closed}) {
        for (const auto& field : *fields) wires.push_back(field.type);
      }
    }
  }
  return false;
}

/// Returns a recorded enum with the current names of its enumerators, according to approved
/// renames.
revctl::EnumLayout UnderTodaysNames(const revctl::EnumLayout& recorded,
                                    const revctl::EnumLayout& now, const Renames& renames) {
  const auto has = [](const revctl::EnumLayout& layout, const std::string& name) {
    return std::any_of(layout.enumerators.begin(), layout.enumerators.end(),
                       [&](const auto& entry) { return entry.first == name; });
  };
  revctl::EnumLayout renamed = recorded;
  for (auto& [name, value] : renamed.enumerators) {
    if (has(now, name)) continue;
    for (const auto& [today, number] : now.enumerators) {
      if (has(recorded, today) || !renames.Same(now.type, name, today)) continue;
      name = today;
      break;
    }
  }
  return renamed;
}

/// How an enum has changed since a given revision was recorded.
struct EditedAt {
  std::size_t revision = 0;
  EnumDiff diff;
};

/// Compares the current enum with each record, oldest first, and returns the differences. Omits
/// changes that a person has accepted.
std::vector<EditedAt> EditsOf(
    const CheckContext& context, const revctl::EnumLayout& now,
    const std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>& records, bool silent) {
  const History& history = context.history;
  std::vector<revctl::EnumLayout> renamed;
  for (const auto& record : records)
    renamed.push_back(UnderTodaysNames(*record.second, now, context.renames));
  std::vector<const revctl::EnumLayout*> all;
  for (const revctl::EnumLayout& layout : renamed) all.push_back(&layout);
  std::vector<EditedAt> edits;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t index = records[i].first;
    // Older records may lack enumerators that were appended later. The newest record must list all
    // enumerators, unless a revision has not been recorded yet, or a record that might list them is
    // unreadable.
    const bool may_grow = silent || i + 1 < records.size() || !context.pending().empty() ||
                          !history.Known(index, history.newest_recorded());
    EnumDiff diff = CompareEnums(renamed[i], now, all);
    if (diff.moved.empty()) {
      std::erase_if(diff.added, [&](const EnumDiff::Added& added) {
        return may_grow || AcceptanceOfEnumerator(added, now.type).IsGiven(context);
      });
    }
    if (!diff.empty()) edits.push_back({index, std::move(diff)});
  }
  return edits;
}

/// Returns the approvals that would accept the renamed and new enumerators of an edit. Returns none
/// if the edit also moved or removed enumerators.
std::vector<Acceptance> AcceptancesOf(const EnumDiff& diff, const std::string& type) {
  std::vector<Acceptance> acceptances;
  if (!diff.moved.empty() || !diff.gone.empty()) return acceptances;
  for (const EnumDiff::Renamed& renamed : diff.renamed)
    acceptances.push_back(AcceptanceOfRename(type, renamed.from, renamed.to));
  for (const EnumDiff::Added& added : diff.added)
    acceptances.push_back(AcceptanceOfEnumerator(added, type));
  return acceptances;
}

Finding FindingOfEdit(CheckContext& context, const EnumDiff& diff, const std::string& type,
                      const SourcePlace& source) {
  const ChangePlace place{type, context.list_prefix, context.pending(), nullptr,
                          context.options.program};
  const EnumTexts texts = TextsOf(diff);
  LayoutChange change;
  change.field = EnumeratorOf(diff);
  change.recorded_text = texts.recorded;
  change.now_text = texts.now;
  Finding finding = FindingOf(context, change, AdviceOnEnum(diff, place), type, "", source);
  const bool breaks = !diff.moved.empty() || !diff.gone.empty() || !diff.renamed.empty();
  if (!breaks) finding.severity = Severity::Note;
  return finding;
}

Finding FindingOfWidth(CheckContext& context, const revctl::EnumLayout& recorded,
                       const revctl::EnumLayout& now, const SourcePlace& source) {
  const ChangePlace place{now.type, context.list_prefix, context.pending(), nullptr,
                          context.options.program};
  LayoutChange change;
  change.cause = Cause::EnumWidth;
  change.recorded_text = "underlying type " + recorded.underlying;
  change.now_text = "underlying type " + now.underlying;
  return FindingOf(context, change, AdviceOn(change, place), now.type, "", source);
}

/// Adds the finding once for each revision whose record shows the edit. Verdicts folds these
/// findings into one.
void AddAt(CheckContext& context, const Finding& finding, const std::string& cause,
           const std::vector<Acceptance>& acceptances, const std::vector<std::size_t>& at) {
  for (const std::size_t index : at) {
    Finding here = finding;
    here.revision = context.history.revisions()[index].name;
    AddWaysToAccept(context, acceptances, index, here);
    context.verdicts.Add(std::move(here), cause);
  }
}

}  // namespace

void CheckEnums(CheckContext& context, TypeRun& run) {
  const History& history = context.history;
  const RevisionRun& latest = run.At(history.latest().number, {});
  const std::string& root = run.root().name;
  for (const auto& [name, today] : run.enums()) {
    const auto found = history.enums().find(name);
    if (found == history.enums().end()) continue;
    // If files of the latest revision cannot contain the enum, later records do not mention it. A
    // body may nevertheless visit the enum, because a REM reads it into a local variable.
    const bool silent = !latest.enums.contains(name) || (!Holds(latest, root, name, Fields::Live) &&
                                                         Holds(latest, root, name, Fields::All));
    std::vector<EditedAt> edits = EditsOf(context, today.layout, found->second, silent);
    if (edits.empty()) continue;
    const SourcePlace source =
        today.visit.line == 0
            ? today.visit
            : EnumDeclaration(name, {context.Whole(today.visit.file), today.visit.line});
    std::vector<std::size_t> other_width;
    for (const EditedAt& edit : edits) {
      if (edit.diff.width) other_width.push_back(edit.revision);
    }
    if (!other_width.empty())
      AddAt(context,
            FindingOfWidth(context, *history.EnumAt(name, other_width[0]), today.layout, source),
            "width", {}, other_width);
    // Describe the edit by comparing with the newest record, because it lists the most names. If
    // older records show further changes, describe them separately.
    bool breaks = !other_width.empty();
    for (EditedAt& edit : edits) edit.diff.width = false;
    std::erase_if(edits, [](const EditedAt& edit) { return edit.diff.empty(); });
    while (!edits.empty()) {
      const EnumDiff diff = edits.back().diff;
      breaks = breaks || diff.Breaks();
      std::vector<std::size_t> at;
      std::erase_if(edits, [&](const EditedAt& edit) {
        if (!Covers(diff, edit.diff)) return false;
        at.push_back(edit.revision);
        return true;
      });
      const Finding finding = FindingOfEdit(context, diff, name, source);
      AddAt(context, finding, finding.message, AcceptancesOf(diff, name), at);
    }
    // The current code reads the old goldens of every revision with different enumerators. A new
    // enumerator alone does not affect how they are read.
    if (!breaks) continue;
    // No key is needed, because consequences for types in `displaced` are omitted.
    for (const Revision& revision : history.revisions())
      context.broken_layouts.emplace(std::pair(root, revision.name), "");
    context.broken_fields.emplace(root, "");
    context.displaced.insert(root);
  }
}

}  // namespace revctl::harness
