// GH001, layout: checks that Serialize visits the recorded fields at each recorded revision.
#include <fmt/core.h>
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>

#include "harness/advice/advice.h"
#include "harness/layout/fields.h"
#include "harness/signals/layout_finding.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

/// How a record type was last compared. The next revision needs no comparison if it is on the same
/// side of every number with which bodies compare the revision.
struct Compared {
  const golden::RecordedType* recorded = nullptr;
  const RevisionRun* run = nullptr;
  std::int64_t number = 0;
  std::vector<std::int64_t> sides;
  bool clean = false;
};

/// True for a change in the order of fields. Such a change is reported once per type, because one
/// edit can reorder many fields, and differently at each revision.
bool IsOrder(Cause cause) { return cause == Cause::Swapped || cause == Cause::Moved; }

/// Returns the severity of a change. A change in the source text of a condition is harmless unless
/// it causes misread goldens.
Severity SeverityOf(const CheckContext& context, const RootType& root, Cause cause,
                    const std::string& revision) {
  const bool harmless =
      cause == Cause::ConditionChanged && !context.misread.contains({root.name, revision});
  return harmless ? Severity::Warning : Severity::Error;
}

/// Returns the part in which two wire types differ, such as "i16 -> i32" for `vector<i16>` and
/// `vector<i32>`, or "4 -> 5" for arrays with 4 and 5 elements.
std::string DifferingWord(std::string_view then, std::string_view now) {
  std::size_t begin = 0, end = 0;
  const std::size_t both = std::min(then.size(), now.size());
  while (begin < both && then[begin] == now[begin]) ++begin;
  while (end < both - begin && then[then.size() - 1 - end] == now[now.size() - 1 - end]) ++end;
  while (begin > 0 && base::IsWord(then[begin - 1])) --begin;
  while (end > 0 && base::IsWord(then[then.size() - end])) --end;
  return fmt::format("{} -> {}", then.substr(begin, then.size() - begin - end),
                     now.substr(begin, now.size() - begin - end));
}

bool IsRetype(Cause cause) {
  return cause == Cause::Retyped || cause == Cause::RetypedSameSize ||
         cause == Cause::ContainerChanged || cause == Cause::Resized;
}

/// Describes an edit that may change many fields in the same way: an edit of a `using`, of a
/// constant used as the size of several arrays, or of a macro used as the gate of several fields.
/// Returns "" for other changes.
std::string SharedEdit(const LayoutChange& change) {
  if (change.recorded == nullptr || change.now == nullptr) return "";
  const revctl::LayoutField &then = *change.recorded, &now = *change.now;
  if (IsRetype(change.cause)) return "type " + DifferingWord(then.type, now.type);
  if (change.cause != Cause::GateMoved && change.cause != Cause::Renumbered &&
      change.cause != Cause::GateConstant)
    return "";
  return fmt::format("gate {} {} {} {} -> {} {} {} {}", then.since, then.since_number, then.until,
                     then.until_number, now.since, now.since_number, now.until, now.until_number);
}

/// Returns advice to keep the types that the current code no longer contains but needs to read old
/// files. Returns "" if no such type is missing.
std::string KeepGone(const History& history, std::size_t index, const RevisionRun& today,
                     const LayoutChange& change) {
  if (change.recorded == nullptr ||
      (!IsRetype(change.cause) && change.cause != Cause::RemovedWithoutRem))
    return "";
  std::string keep;
  for (const std::string& name : GoneTypes(history, index, today, change.recorded->type))
    keep += fmt::format(
        "\nkeep the declaration of {}, with its body or values, because old files contain it",
        name);
  return keep;
}

bool HaveObjects(const RevisionRun& today) {
  return std::any_of(today.layouts.begin(), today.layouts.end(),
                     [](const auto& layout) { return layout.first.starts_with("objects<"); });
}

/// True if the gate is empty or the name of a listed revision. If the gate is some other constant,
/// such as `kGate`, editing the list cannot fix it.
bool IsListed(const History& history, const std::string& gate) {
  return gate.empty() || history.Find(LastComponent(gate)) != nullptr;
}

/// A layout change spelled with current names, and with file names relative to the source root.
struct SpelledChange {
  LayoutChange change;
  LayoutField now, then;  ///< the pointers in `change` point to these fields

  SpelledChange(const CheckContext& context, const LayoutChange& found,
                const CurrentSpelling& words)
      : change(found) {
    if (found.recorded != nullptr) {
      then = words.Of(*found.recorded);
      if (found.cause == Cause::RemDefaultChanged) then.spelled.clear();
      change.recorded = &then;
    }
    if (found.now != nullptr) {
      now = *found.now;
      now.file = context.Relative(now.file);
      change.now = &now;
    }
  }
  SpelledChange(const SpelledChange&) = delete;
  SpelledChange& operator=(const SpelledChange&) = delete;
};

/// Returns the place of the macro that visits the changed field. If no macro visits it, returns the
/// place of a neighboring field's macro, or else of HARNESS_TYPE.
SourcePlace PlaceOfChange(const RootType& root, const LayoutChange& change,
                          const golden::RecordedType& recorded, const TypeTrace& trace) {
  if (change.now != nullptr) return {change.now->file, change.now->line};
  const auto& fields = change.cause == Cause::RemGone ? recorded.removed : recorded.layout.fields;
  const SourcePlace near = NearestVisit(fields, change.recorded, trace);
  return near.line != 0 ? near : SourcePlace{root.entry.file, root.entry.line};
}

/// If the current code no longer reads a field as recorded, searches the records from `index` on
/// for the REM or DEAD of that field. Returns null if no record contains one, or if the field
/// changed in a different way.
const LayoutField* RecordedRem(const CheckContext& context, const std::string& type,
                               std::size_t index, const LayoutChange& change) {
  if (change.cause == Cause::RemGone) return change.recorded;
  // The name may have been reused for a later field with a different type or gate.
  const bool reused =
      (IsRetype(change.cause) || change.cause == Cause::GateMoved) && !IsRem(*change.now);
  if (change.cause != Cause::RemovedWithoutRem && !reused) return nullptr;
  const LayoutField& then = *change.recorded;
  const History& history = context.history;
  const auto begin = [&](const LayoutField& field) {
    return std::max(field.since_number, history.oldest());
  };
  for (std::size_t i = history.newest_recorded() + 1; i-- > index;) {
    const golden::RecordedType* const recorded = history.TypeAt(type, i);
    if (recorded == nullptr) continue;
    for (const LayoutField& field : recorded->removed) {
      if (!then.name.empty() && context.renames.Same(type, field.name, then.name) &&
          field.type == then.type && begin(field) == begin(then))
        return &field;
    }
  }
  // Only the records of revisions that closed a REM contain its default.
  return IsRem(then) ? &then : nullptr;
}

/// Adds a finding for a change, with the explanation from AdviceOn(), unless the change was
/// approved. Also notes what the change breaks, because findings of other signals may be its
/// consequences.
void AddChange(CheckContext& context, const RootType& root, LayoutChange change,
               const ChangePlace& place, const CurrentSpelling& words, const RevisionRun& today,
               std::size_t index) {
  if (change.cause == Cause::Renumbered && !(IsListed(context.history, change.recorded->since) &&
                                             IsListed(context.history, change.recorded->until)))
    change.cause = Cause::GateConstant;
  const std::string& revision = context.history.revisions()[index].name;
  const Severity severity = SeverityOf(context, root, change.cause, revision);
  // A condition whose change causes misread goldens cannot be approved.
  const bool acceptable = change.cause != Cause::ConditionChanged || severity != Severity::Error;
  const auto acceptance = acceptable ? AcceptanceOf(change, place.type) : std::nullopt;
  if (acceptance && acceptance->IsGiven(context)) return;
  // Fields of an object stream have no source. If reading stopped before such a field, another
  // finding reports where it stopped.
  if (change.cause == Cause::BecameConditional && change.now->file.empty() &&
      context.misread.contains({root.name, revision}))
    return;
  const SpelledChange spelled(context, change, words);
  const SourcePlace source =
      PlaceOfChange(root, change, words.recorded(), today.layouts.at(place.type));
  ChangePlace with_rem = place;
  with_rem.state_list = place.words != nullptr &&
                        LineAt(context.Whole(source.file), source.line).starts_with("REVCTL_STATE");
  LayoutField rem;
  if (const LayoutField* const recorded = RecordedRem(context, place.type, index, change)) {
    rem = words.Of(*recorded);
    with_rem.rem = &rem;
    const std::string until = LastComponent(recorded->until);
    const bool listed = context.history.Find(until) != nullptr;
    if (listed && (!context.landed().known() || context.landed().Has(until)))
      with_rem.purge_below = until;
  }
  Finding finding =
      FindingOf(context, change, AdviceOn(spelled.change, with_rem), place.type, revision, source);
  finding.severity = severity;
  finding.fix += KeepGone(context.history, index, today, change);
  // The fix for a line of a PLAIN struct is the same at all revisions, so it identifies the cause.
  std::string cause = place.plain != nullptr ? FixText(finding.fix) : CauseKey(change);
  // A lost REM affects both the revisions that visited the field and the revisions that closed it.
  if (with_rem.rem != nullptr) cause = "recorded REM\n" + rem.since + "\n" + rem.until;
  if (IsRetype(change.cause)) {
    const TypeRenames types = RenamedTypes(context.history, context.renames, index, today,
                                           change.recorded->type, change.now->type);
    if (!types.names.empty()) {
      TellOfTypeRename(types, place.type + "." + change.field, finding);
      cause = FixText(finding.fix);  // merges the findings for all fields of the renamed type
    }
  }
  finding.cause = SharedEdit(change);
  AddWaysToAccept(context, acceptance ? std::vector{*acceptance} : std::vector<Acceptance>(), index,
                  finding);
  const bool breaks = finding.severity == Severity::Error;
  std::string key;
  if (change.cause == Cause::MembersMoved) {
    // The cause is a change in the struct, so it affects all fields of this type.
    key = context.verdicts.AddFollowing(std::move(finding), "members\n" + change.recorded_text);
  } else if (IsOrder(change.cause)) {
    key = context.verdicts.AddFollowing(std::move(finding), "order");
  } else {
    key = context.verdicts.Add(std::move(finding), cause);
  }
  if (!breaks) return;
  if (change.cause == Cause::RemovedWithoutRem) {
    CheckContext::Removed& removed = context.removed[{root.name, place.type}];
    removed.fields.insert(change.field);
    if (removed.key.empty()) removed.key = key;
  }
  context.broken_layouts.emplace(std::pair(root.name, revision), std::move(key));
  context.broken_fields.emplace(root.name, change.field);
}

/// Adds a finding for a sample that is not restored when it is saved and loaded. This is an error
/// only at the latest revision. At older revisions it is a note, because files written for older
/// builds may lose values unknown to these builds, and conditions may depend on such values.
void AddTrouble(CheckContext& context, const RootType& root, const Trouble& trouble,
                const std::string& revision) {
  Finding finding;
  finding.rule = RuleId::Layout;
  const bool latest = revision == context.history.latest().name;
  finding.severity = latest ? Severity::Error : Severity::Note;
  finding.signal = "layout";
  finding.type = root.name;
  finding.revision = revision;
  finding.field = trouble.field;
  const bool placed = trouble.place.line != 0;
  finding.file = context.Relative(placed ? trouble.place.file : root.entry.file);
  finding.line = placed ? trouble.place.line : root.entry.line;
  finding.message = fmt::format("{}: {}: {}", root.name,
                                latest ? "writing and reading visit different fields"
                                       : "files saved for older builds do not load",
                                trouble.text);
  finding.fix = latest ? "visit the same fields when reading and writing, and put upgrade code "
                         "after every condition"
                       : "if older builds have to read such files, compute conditions and REM "
                         "defaults from the object";
  // A single mistake can appear at several paths, in several elements and in several samples.
  // Findings at the same macro therefore share a cause.
  std::string cause = latest ? "writing and reading" : "saved for older builds";
  if (placed) cause += fmt::format("\n{}:{}", finding.file, finding.line);
  context.verdicts.AddFollowing(std::move(finding), cause);
}

/// True if the type's macros do not pass names, so that its fields are identified by position.
bool GoesByPlace(const std::vector<LayoutField>& fields) {
  const auto named = [](const LayoutField& field) {
    return !field.name.empty() && !IsCounter(field) && !IsPlace(field.name);
  };
  return std::none_of(fields.begin(), fields.end(), named) &&
         std::any_of(fields.begin(), fields.end(),
                     [](const LayoutField& field) { return !field.name.empty(); });
}

/// Returns the index of `field` in `fields`, or the number of fields if `field` is null or not
/// among them.
std::size_t PlaceIn(const std::vector<LayoutField>& fields, const LayoutField* field) {
  std::size_t place = 0;
  while (place < fields.size() && &fields[place] != field) ++place;
  return place;
}

/// Keeps only the first difference. If a field without a name is inserted or removed, all later
/// fields move to other positions, which does not count as a change of these fields.
void LeaveFirst(const golden::RecordedType& recorded, const TypeTrace& now,
                std::vector<LayoutChange>& changes) {
  const auto place = [&](const LayoutChange& change) {
    return std::min(PlaceIn(recorded.layout.fields, change.recorded),
                    PlaceIn(now.layout.fields, change.now));
  };
  const auto first = std::min_element(
      changes.begin(), changes.end(),
      [&](const LayoutChange& a, const LayoutChange& b) { return place(a) < place(b); });
  changes = {LayoutChange(*first)};
}

std::vector<const Golden*> RecordedAt(const std::vector<Golden>& goldens, std::size_t index) {
  std::vector<const Golden*> found;
  for (const Golden& golden : goldens) {
    if (golden.revision == index) found.push_back(&golden);
  }
  return found;
}

}  // namespace

void CheckLayout(CheckContext& context, TypeRun& run) {
  const RootType& root = run.root();
  const History& history = context.history;
  const std::vector<Golden>& goldens = history.Goldens(root.name);
  std::map<std::string, Compared> compared;
  std::map<std::string, PlainList> plain;  // contains only types whose layout changed
  std::vector<const Golden*> in_force;     // goldens of the newest revision that has goldens so far
  std::vector<std::size_t> until;  // for each golden, the first revision that it does not represent
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (history.newest_recorded() == History::none() || i > history.newest_recorded()) break;
    auto here = RecordedAt(goldens, i);
    const bool known = !here.empty() || history.TypeAt(root.name, i) != nullptr;
    if (!here.empty()) {
      in_force = std::move(here);
      until.clear();
      for (const Golden* golden : in_force)
        until.push_back(IsOpaque(root.type()) ? history.OpaqueUntil(*golden) : History::none());
    }
    if (revision.number < root.entry.since || !known) continue;
    std::vector<const Golden*> read;
    std::deque<Golden> files;
    for (std::size_t k = 0; k < in_force.size(); ++k) {
      const Golden& golden = *in_force[k];
      if (golden.revision != i && until[k] <= i) continue;
      const bool other = IsOpaque(root.type()) && golden.revision != i;
      read.push_back(other ? &files.emplace_back(history.AsFileOf(golden, i)) : &golden);
    }
    const RevisionRun& now = run.At(revision.number, read);
    for (const Trouble& trouble : now.troubles) AddTrouble(context, root, trouble, revision.name);
    for (const auto& [name, trace] : now.layouts) {
      const golden::RecordedType* recorded = history.TypeAt(name, i);
      // The type is first visited at this revision, and another finding reports the field that
      // contains it.
      if (recorded == nullptr) continue;
      Compared& last = compared[name];
      if (last.clean && last.recorded == recorded &&
          SameSide(last.number, revision.number, last.sides))
        continue;
      const golden::RecordedType* newest = history.TypeAt(name, history.newest_recorded());
      auto changes = CompareLayouts(*recorded, trace, revision.number, history.oldest(), newest,
                                    context.renames);
      if (!changes.empty()) {
        if (GoesByPlace(recorded->layout.fields)) {
          context.displaced.insert(root.name);
          LeaveFirst(*recorded, trace, changes);
        }
        const CurrentSpelling words(*recorded, trace, context.renames, history.revisions().front());
        const bool knows = !trace.plain || plain.contains(name);
        if (!knows) plain.emplace(name, PlainListOf(context, name, trace));
        const ChangePlace place{name,
                                context.list_prefix,
                                context.pending(),
                                &words.type(),
                                context.options.program,
                                trace.plain ? &plain.at(name) : nullptr,
                                IsOpaque(root.type()) ? &root.entry.words : nullptr,
                                HaveObjects(now)};
        for (const LayoutChange& change : changes) {
          if (change.cause != Cause::PaddingChanged || !HoldsChanged(context, trace, now, i))
            AddChange(context, root, change, place, words, now, i);
        }
      }
      last = {recorded, &now, revision.number, now.compared, changes.empty()};
    }
  }
}

}  // namespace revctl::harness
