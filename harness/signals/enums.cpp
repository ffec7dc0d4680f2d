// GH001 for enums: what each recorded value is called.
#include <set>

#include "harness/advice/advice.h"
#include "harness/signals/layout_finding.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

enum class Fields { Live, All };
/// Whether a file of the type `root` holds the enum, by way of these fields of its types.
bool Holds(const RevisionRun& now, const std::string& root, const std::string& name, Fields which) {
  std::vector<std::string> wires = {root};
  std::set<std::string> known;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    const std::string wire = wires[i];
    if (Mentions(wire, name) || Mentions(wire, "object") || Mentions(wire, "polymorphic"))
      return true;  // any class
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

}  // namespace

void CheckEnums(CheckContext& context, TypeRun& run) {
  const History& history = context.history;
  const std::size_t newest = history.newest_recorded();
  const RevisionRun& latest = run.At(history.latest().number, {});
  const std::string& root = run.root().name;
  for (const auto& [name, today] : run.enums()) {
    const auto found = history.enums().find(name);
    if (found == history.enums().end()) continue;
    const auto& records = found->second;
    // What today's files cannot hold, no record will speak of again: REMs' locals, which were, are
    // announced all the same.
    const bool silent = !latest.enums.contains(name) || (!Holds(latest, root, name, Fields::Live) &&
                                                         Holds(latest, root, name, Fields::All));
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto& [index, recorded] = records[i];
      // Older records may lack what was appended since; the newest must have everything, unless a
      // revision waits, or one that may have it cannot be read.
      const bool may_grow = silent || i + 1 < records.size() || !context.pending().empty() ||
                            !history.Known(index, newest);
      for (const LayoutChange& change : CompareEnums(*recorded, today.layout, may_grow)) {
        const auto acceptance = AcceptanceOf(change, name);
        if (acceptance && acceptance->IsGiven(context)) continue;
        const SourcePlace source =
            today.visit.line == 0
                ? today.visit
                : EnumDeclaration(name, {context.Whole(today.visit.file), today.visit.line});
        const ChangePlace place{name, context.list_prefix, context.pending(), nullptr,
                                context.options.program};
        Finding finding = FindingOf(context, change, AdviceOn(change, place), name,
                                    history.revisions()[index].name, source);
        AddWaysToAccept(context, acceptance, index, finding);
        context.verdicts.Add(std::move(finding), CauseKey(change));
        // Old goldens are read with other names from here on, at whatever revision; one more name
        // changes none.
        if (change.cause == Cause::EnumeratorAdded) continue;
        for (const Revision& revision : history.revisions())
          context.broken_layouts.emplace(run.root().name, revision.name);
        context.broken_fields.emplace(run.root().name, "");
      }
    }
  }
}

}  // namespace revctl::harness
