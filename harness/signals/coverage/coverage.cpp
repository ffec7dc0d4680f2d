// GH007, coverage: reports code that no golden and no automatic sample reaches, and revisions
// without goldens.
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <string>

#include "harness/history/git_queries.h"
#include "harness/layout/fields.h"
#include "harness/signals/signals.h"
#include "harness/trace/object.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// The baseline never covers a gate above the latest revision, because such a gate is always a
/// mistake.
constexpr const char* kNeverSaved = "gate";

constexpr const char* kSaveOrDrop =
    "the saved fields depend on the program's state: save the condition or remove it";

using Conditions = std::map<std::string, SeenCondition>;

/// True if small goldens leave a member or a condition result uncovered, so that looking at large
/// goldens may help.
bool IsOpen(const Conditions& conditions, const RevisionRun& now) {
  return !now.unvisited.empty() ||
         std::any_of(conditions.begin(), conditions.end(), [](const auto& condition) {
           return !condition.second.seen.when_true || !condition.second.seen.when_false;
         });
}

/// Adds the members and condition results that large goldens cover. Stops as soon as all of them
/// are covered, because visiting a golden takes several times as long as loading it.
void AddLargeGoldens(const CheckContext& context, const RootType& root, Conditions& conditions,
                     RevisionRun& now) {
  for (const Golden& golden : context.history.Large(root.name)) {
    if (!IsOpen(conditions, now)) return;
    auto payload = context.history.ReadLarge(golden);
    if (!payload) continue;  // GH009 reports the unreadable file
    const Object object(root.type());
    const std::int64_t number = context.history.revisions()[golden.revision].number;
    LayoutNotes notes = NotesOfReading(root.type(), *payload, number, object.get());
    *payload = {};
    const std::int64_t latest = context.history.latest().number;
    notes.Merge(TraceWrite(root.type(), object.get(), latest, Leaves::Untold).notes);
    for (const auto& [key, outcomes] : notes.Conditions()) {
      const auto found = conditions.find(key);
      if (found == conditions.end()) continue;
      found->second.seen.when_true |= outcomes.when_true;
      found->second.seen.when_false |= outcomes.when_false;
    }
    const auto unvisited = notes.UnvisitedMembers();
    const auto layouts = notes.Layouts(latest);
    std::erase_if(now.unvisited, [&](const auto& type) {
      return layouts.contains(type.first) && !unvisited.contains(type.first);
    });
  }
}

void CheckConditions(CheckContext& context, const TypeRun& run, const Conditions& conditions,
                     const RevisionRun& now) {
  const std::string& root = run.root().name;
  for (const auto& [key, condition] : conditions) {
    const auto& [type, field, number, seen] = condition;
    if (seen.when_true && seen.when_false) continue;
    const std::string wanted = seen.when_true ? "false" : "true";
    const std::string message = fmt::format("{}.{}: no sample or golden makes `{}` {}", type,
                                            field.name, field.condition, wanted);
    std::string fix =
        fmt::format("HARNESS_SAMPLE({}, \"{}\") {{ /* set d so that the condition is {} */ }}",
                    root, field.name, wanted);
    std::string name;
    const auto body = now.layouts.find(type);
    if (body != now.layouts.end() && ReadsProgramOnly(body->second, field.condition)) {
      AddUncovered(
          context, run.root(), Severity::Warning, type, field,
          fmt::format("{}.{}: `{}` does not depend on the object, so no sample makes it {}; {}",
                      type, field.name, field.condition, wanted, kSaveOrDrop),
          fmt::format("revctl reserve {0}, then save the condition's value in a field of {1} and "
                      "test that field\nor always visit {2}",
                      RevisionName(context.list_prefix, UpperSnake(field.name)), type, field.name),
          "condition");
      continue;
    }
    if (!now.conditions.contains(
            key)) {  // current objects cannot contain values that only older files contain
      const Revision* revision = context.history.Find(number);
      name = revision == nullptr ? std::to_string(number) : revision->name;
      fix = fmt::format("{}   # a file of {} in which the condition is {}",
                        ImportCommand(context, run.root(), field.name), name, wanted);
    }
    AddUncovered(context, run.root(), Severity::Warning, type, field, message, fix, "condition",
                 {.at = name});
  }
}

void CheckGates(CheckContext& context, const RootType& root, const RevisionRun& now) {
  const Revision& latest = context.history.latest();
  for (const auto& [type, trace] : now.layouts) {
    for (const revctl::LayoutField& field : trace.closed) {
      if (field.since.empty() || field.since_number <= latest.number) continue;
      const std::string message = fmt::format(
          "{}.{}: its gate {} ({}) is above the latest revision {} ({}), so it is never saved",
          type, field.name, field.since, field.since_number, latest.name, latest.number);
      AddUncovered(context, root, Severity::Error, type, field, message,
                   fmt::format("revctl reserve {}   // then use the printed revision as the gate",
                               RevisionName(context.list_prefix, UpperSnake(field.name))),
                   kNeverSaved, {.mentioned = {latest.name}});
    }
  }
}

/// Formats ranges of bytes, for example "bytes 4 to 7 and 20 to 23".
std::string PlacesInObject(const std::vector<std::pair<std::size_t, std::size_t>>& stretches) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(stretches.size(), kMost); ++i) {
    const char* const joined = i == 0 ? "bytes " : i + 1 == stretches.size() ? " and " : ", ";
    text += fmt::format("{}{} to {}", joined, stretches[i].first, stretches[i].second - 1);
  }
  if (stretches.size() > kMost)
    text += fmt::format(" and {} more places", stretches.size() - kMost);
  return text;
}

void CheckMembers(CheckContext& context, const RootType& root, const RevisionRun& now) {
  for (const auto& [type, unvisited] : now.unvisited) {
    const auto layout = now.layouts.find(type);
    revctl::LayoutField place;  // place of the body's first field, if known
    if (layout != now.layouts.end() && !layout->second.layout.fields.empty()) {
      place.file = layout->second.layout.fields.front().file;
      place.line = layout->second.layout.fields.front().line;
    }
    std::string look;
    if (!unvisited.gaps.empty())
      look = fmt::format("; see {} of the object", PlacesInObject(unvisited.gaps));
    // True if the struct has more members than can be counted.
    const bool more = unvisited.members > Unvisited::kMostCounted;
    if (more && unvisited.visited >= unvisited.members) {
      AddUncovered(
          context, root, Severity::Warning, type, place,
          fmt::format("{}: its Serialize mentions {} members, too many to count, so a missing "
                      "member would go unnoticed{}",
                      type, unvisited.visited, look),
          fmt::format(
              "move some of them to a separate struct, so that the members of {} can be counted",
              type),
          "members");
      continue;
    }
    const std::size_t missing = unvisited.members - unvisited.visited;
    // If a member is missing because its field was removed without a REM, the fix for the layout
    // also fixes this finding.
    const auto removed = context.removed.find({root.name, type});
    const bool follows =
        removed != context.removed.end() && !more && missing <= removed->second.fields.size();
    const bool told = layout != now.layouts.end() && HasOtherMacros(layout->second.layout.fields);
    const ProgramCondition asked =
        layout == now.layouts.end() ? ProgramCondition() : FindProgramCondition(layout->second);
    if (!asked.text.empty()) {
      look += fmt::format("; `if ({})` at {}:{} does not depend on the object: {}", asked.text,
                          context.Relative(asked.place.file), asked.place.line, kSaveOrDrop);
    }
    const std::string share =
        more ? fmt::format("{} or more of at least {}", missing, unvisited.members)
             : fmt::format("{} of {}", missing, unvisited.members);
    const std::string name = context.list_prefix + "NAME";
    std::string visit = fmt::format(
        "ADD({}, member);   // or, if it should not be saved: SERIALIZE_IGNORE(member);", name);
    if (told)
      visit = fmt::format(
          "visit it only in {} and later\nor, if it should not be saved:\n{} record --baseline "
          "--reason \"...\"",
          name, context.options.program);
    AddUncovered(
        context, root, Severity::Error, type, place,
        fmt::format("{}: its Serialize does not mention {} members in any sample or golden{}", type,
                    share, look),
        follows ? FixLayoutFirst()
                : fmt::format(
                      "revctl reserve {}, then {}\nor, if a branch of the body mentions it, add a "
                      "sample that takes the branch, then record again:\nHARNESS_SAMPLE({}, "
                      "\"member\") {{ /* set d so that the branch is taken */ }}",
                      name, visit, root.name),
        "members", {}, follows ? removed->second.key : "");
  }
}

/// Reports hand-written samples without a golden. Although the values in such samples count as
/// reached, only a golden would protect them from changes.
void CheckSamplesByHand(CheckContext& context, const RootType& root) {
  const auto goldens = context.history.SmallAndLarge(root.name);
  // If a revision is pending or there are no goldens, another finding already asks the user to
  // record.
  if (goldens.empty() || !context.pending().empty()) return;
  for (const SampleEntry& sample : root.samples) {
    const bool held = std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
      return golden.item->name == sample.name;
    });
    if (held) continue;
    revctl::LayoutField place;
    place.file = sample.file;
    place.line = sample.line;
    AddUncovered(context, root, Severity::Warning, root.name, place,
                 fmt::format("{}: the sample \"{}\" is not recorded, so nothing protects the code "
                             "that only this sample reaches",
                             root.name, sample.name),
                 context.options.program + " record", std::string("sample ") + sample.name);
  }
}

std::string Names(const std::vector<const Revision*>& revisions) {
  std::string text;
  for (std::size_t i = 0; i < revisions.size() && i < 5; ++i)
    text += (i ? ", " : "") + revisions[i]->name;
  if (revisions.size() > 5) text += fmt::format(" and {} more", revisions.size() - 5);
  return text;
}

void AddUnrecorded(CheckContext& context, const std::vector<const Revision*>& revisions,
                   Severity severity, const std::string& message, const std::string& fix) {
  if (revisions.empty()) return;
  Finding finding{.rule = RuleId::Coverage,
                  .severity = severity,
                  .message = Names(revisions) + message,
                  .revision = revisions.front()->name,
                  .fix = fix,
                  .signal = "coverage"};
  context.verdicts.Add(std::move(finding), message, {revisions.front()->name});
}

}  // namespace

bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const UncoveredAt& where, const std::string& follows) {
  // A baseline lists the places that were already uncovered when the project adopted the harness.
  if (cause != kNeverSaved) {
    const std::string place = type + (field.name.empty() ? "" : "." + field.name) + ": " + cause;
    if (context.Accepted(place)) return false;
    context.uncovered.push_back(place);
  }
  Finding finding{.rule = RuleId::Coverage,
                  .severity = severity,
                  .message = message,
                  .file = context.Relative(field.file.empty() ? root.entry.file : field.file),
                  .line = field.file.empty() ? root.entry.line : field.line,
                  .revision = where.at.empty() ? context.history.latest().name : where.at,
                  .fix = fix,
                  .type = type,
                  .field = field.name,
                  .signal = "coverage",
                  .follows = follows};
  if (follows.empty()) context.verdicts.Add(std::move(finding), cause, where.mentioned);
  else context.verdicts.AddFollowing(std::move(finding), cause);
  return true;
}

std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name) {
  return fmt::format("{} import FILE --type {} --name {}", context.options.program,
                     base::ShellWord(root.name), base::ShellWord(name));
}

std::string OlderGoldens(const CheckContext& context, const RootType& root) {
  if (!IsOpaque(root.type()))
    return context.options.program + " record --backfill   # or import a file of that revision";
  // Objects of this type may be saved only as parts of files that belong to another type.
  const auto& types = context.registry.types;
  const auto whole = std::find_if(types.begin(), types.end(), [](const RootType& other) {
    return other.files.open != nullptr;
  });
  const bool own = root.files.open != nullptr || whole == types.end();
  return ImportCommand(context, own ? root : *whole, "NAME") +
         "   # a file of that revision; or use record-history";
}

void CheckCoverage(CheckContext& context, TypeRun& run) {
  RevisionRun now = run.At(context.history.latest().number, {});
  Conditions conditions = run.conditions();
  AddLargeGoldens(context, run.root(), conditions, now);
  CheckUpgradeCode(context, run, now);
  CheckConditions(context, run, conditions, now);
  CheckSamplesByHand(context, run.root());
  CheckGates(context, run.root(), now);
  CheckFixedComparisons(context, run.root(), now);
  CheckPlatformTypes(context, now);
  CheckMembers(context, run.root(), now);
}

void CheckNames(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (context.Broken(root)) return;  // a misread golden proves nothing about its values
  // Edge samples deliberately contain numbers that are next to the enumerators but have no name.
  if (decoded.golden->item->name.starts_with("edge-")) return;
  for (const auto& [path, type] : decoded.read.nameless) {
    AddUncovered(
        context, root, Severity::Warning, type, {},
        fmt::format("{}: {} contains a value without an enumerator name, at {}", type,
                    decoded.golden->id, path),
        fmt::format("give the value a name again. If it is outside -128..255 and not a power of "
                    "two, list all names at namespace scope:\nREVCTL_ENUMERATORS({}, every, name, "
                    "of, it);   // docs/guide/serialize.md",
                    type),
        "value without a name",
        {.mentioned = {context.history.revisions()[decoded.golden->revision].name}});
  }
}

void CheckRecorded(CheckContext& context) {
  // If the whole folder is missing, the user must restore it, not record new goldens.
  if (IsGone(context.store.folder())) return;
  const History& history = context.history;
  std::vector<const Revision*> before, between, after;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (revision.exists || context.stale.Holds(revision.name)) continue;
    if (history.newest_recorded() == History::none() || i > history.newest_recorded()) {
      after.push_back(&revision);
    } else if (revision.additions.empty()) {  // imported files count as goldens
      (i < history.oldest_recorded() ? before : between).push_back(&revision);
    }
  }
  if (history.newest_recorded() == History::none() && after.size() > 1) {
    // If nothing has been recorded yet, the user should begin with the current revision and can
    // backfill the older ones later.
    before.assign(after.begin(), after.end() - 1);
    after.erase(after.begin(), after.end() - 1);
  }
  AddUnrecorded(context, after, Severity::Error, ": no goldens are recorded",
                context.options.program + " record");
  const auto& types = context.registry.types;
  const auto open = std::find_if(types.begin(), types.end(),
                                 [](const RootType& root) { return !IsOpaque(root.type()); });
  const std::string older =
      types.empty() ? "" : OlderGoldens(context, open == types.end() ? types.front() : *open);
  AddUnrecorded(context, between, Severity::Error,
                ": no goldens are recorded, although later revisions have goldens", older);
  AddUnrecorded(context, before, Severity::Note,
                ": older than the first goldens, so changes to their meaning go unnoticed", older);
}

}  // namespace revctl::harness
