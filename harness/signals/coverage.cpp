// GH007, coverage: what no golden and no automatic sample reaches, and revisions without goldens.
#include <algorithm>

#include "harness/layout/field_matching.h"
#include "harness/signals/gone_folder.h"
#include "harness/signals/uncovered.h"
#include "harness/trace/tracing.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

void CheckConditions(CheckContext& context, const TypeRun& run, const RevisionRun& now) {
  const std::string& root = run.root().name;
  for (const auto& [key, condition] : run.conditions()) {
    const auto& [type, field, number, seen] = condition;
    if (seen.when_true && seen.when_false) continue;
    const std::string wanted = seen.when_true ? "false" : "true";
    const std::string message = type + "." + field.name + ": no sample and no golden makes `" +
                                field.condition + "` " + wanted;
    std::string fix = "HARNESS_SAMPLE(" + root + ", \"" + field.name +
                      "\") { /* d such that it is " + wanted + " */ }";
    std::string name;
    if (!now.conditions.contains(
            key)) {  // no object of today's can hold what only older files have
      const Revision* revision = context.history.Find(number);
      name = revision == nullptr ? std::to_string(number) : revision->name;
      fix = context.options.program + " import FILE --type " + base::ShellWord(root) + " --name " +
            base::ShellWord(field.name) + "   # a file of " + name + " in which it is " + wanted;
    }
    AddUncovered(context, run.root(), Severity::Warning, type, field, message, fix, "condition",
                 name);
  }
}

void CheckGates(CheckContext& context, const RootType& root, const RevisionRun& now) {
  const Revision& latest = context.history.latest();
  for (const auto& [type, trace] : now.layouts) {
    for (const revctl::LayoutField& field : trace.closed) {
      if (field.since.empty() || field.since_number <= latest.number) continue;
      AddUncovered(context, root, Severity::Error, type, field,
                   type + "." + field.name + ": its gate " + field.since + " (" +
                       std::to_string(field.since_number) + ") is above the latest revision " +
                       latest.name + " (" + std::to_string(latest.number) +
                       "), so it is never saved",
                   "revctl reserve " + context.list_prefix + UpperSnake(field.name) +
                       "   // and gate with the revision that it prints",
                   kNeverSaved);
    }
  }
}

/// "bytes 4 to 7 and 20 to 23"
std::string PlacesInObject(const std::vector<std::pair<std::size_t, std::size_t>>& stretches) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(stretches.size(), kMost); ++i) {
    text += (i == 0                      ? "bytes "
             : i + 1 == stretches.size() ? " and "
                                         : ", ") +
            std::to_string(stretches[i].first) + " to " + std::to_string(stretches[i].second - 1);
  }
  if (stretches.size() > kMost)
    text += " and " + std::to_string(stretches.size() - kMost) + " more places";
  return text;
}

void CheckMembers(CheckContext& context, const RootType& root, const RevisionRun& now) {
  for (const auto& [type, unvisited] : now.unvisited) {
    const auto layout = now.layouts.find(type);
    revctl::LayoutField place;  // the body, by its first line
    if (layout != now.layouts.end() && !layout->second.layout.fields.empty()) {
      place.file = layout->second.layout.fields.front().file;
      place.line = layout->second.layout.fields.front().line;
    }
    const std::string look = unvisited.gaps.empty()
                                 ? ""
                                 : "; look at " + PlacesInObject(unvisited.gaps) + " of the object";
    const bool more = unvisited.members > Unvisited::kMostCounted;  // perhaps
    if (more && unvisited.visited >= unvisited.members) {
      AddUncovered(context, root, Severity::Warning, type, place,
                   type + ": its Serialize mentions " + std::to_string(unvisited.visited) +
                       " members, more than are counted, so nothing tells whether these are all" +
                       look,
                   "put some of them into a struct of their own: " + type +
                       " is then counted, and so is that",
                   "members");
      continue;
    }
    const std::size_t missing = unvisited.members - unvisited.visited;
    const bool told = layout != now.layouts.end() && HasOtherMacros(layout->second.layout.fields);
    AddUncovered(
        context, root, Severity::Error, type, place,
        (more ? "at least " : "") + std::to_string(missing) + " of " + (more ? "the " : "") +
            std::to_string(unvisited.members) + (more ? " or more" : "") + " members of " + type +
            (missing == 1 ? " is" : " are") +
            " not mentioned by its Serialize in any sample or golden" + look,
        "revctl reserve " + context.list_prefix + "NAME, then " +
            (told ? "visit it since " + context.list_prefix +
                        "NAME only\nor, if it is not to be saved:\n" + context.options.program +
                        " record --baseline --reason \"...\""
                  : "ADD(" + context.list_prefix +
                        "NAME, member);   // or, if it is not to be saved: "
                        "SERIALIZE_IGNORE(member);") +
            "\nor, where a branch of the body "
            "mentions it, a sample that takes it, which the next record keeps:\nHARNESS_SAMPLE(" +
            root.name + ", \"member\") { /* d such that it does */ }",
        "members");
  }
}

/// What is registered by hand counts as reached, though only a golden keeps tomorrow's code from
/// reading it otherwise.
void CheckSamplesByHand(CheckContext& context, const RootType& root) {
  const auto& goldens = context.history.Goldens(root.name);
  if (goldens.empty() || !context.pending().empty())
    return;  // said already: there is something to record
  for (const SampleEntry& sample : root.samples) {
    const bool held = std::any_of(goldens.begin(), goldens.end(), [&](const Golden& golden) {
      return golden.item->name == sample.name;
    });
    if (held) continue;
    revctl::LayoutField place;
    place.file = sample.file;
    place.line = sample.line;
    AddUncovered(context, root, Severity::Warning, root.name, place,
                 root.name + ": the sample \"" + sample.name +
                     "\" is in no record: nothing protects what it reaches",
                 context.options.program + " record", std::string("sample ") + sample.name);
  }
}

std::string Names(const std::vector<const Revision*>& revisions) {
  std::string text;
  for (std::size_t i = 0; i < revisions.size() && i < 5; ++i)
    text += (i ? ", " : "") + revisions[i]->name;
  if (revisions.size() > 5) text += " and " + std::to_string(revisions.size() - 5) + " more";
  return text;
}

void AddUnrecorded(CheckContext& context, const std::vector<const Revision*>& revisions,
                   Severity severity, const std::string& message, const std::string& fix) {
  if (revisions.empty()) return;
  Finding finding{.rule = rule::kCoverage,
                  .severity = severity,
                  .message = Names(revisions) + message,
                  .revision = revisions.front()->name,
                  .fix = fix,
                  .signal = "coverage"};
  context.verdicts.Add(std::move(finding), message);
}

}  // namespace

bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const std::string& revision) {
  // What was uncovered when the project adopted the harness was accepted then.
  if (cause != kNeverSaved) {
    const std::string place = type + (field.name.empty() ? "" : "." + field.name) + ": " + cause;
    if (context.Accepted(place)) return false;
    if (context.uncovered != nullptr) context.uncovered->push_back(place);
  }
  Finding finding{.rule = rule::kCoverage,
                  .severity = severity,
                  .message = message,
                  .file = context.Relative(field.file.empty() ? root.entry.file : field.file),
                  .line = field.file.empty() ? root.entry.line : field.line,
                  .revision = revision.empty() ? context.history.latest().name : revision,
                  .fix = fix,
                  .type = type,
                  .field = field.name,
                  .signal = "coverage"};
  context.verdicts.Add(std::move(finding), cause);
  return true;
}

std::string OlderGoldens(const CheckContext& context, const RootType& root) {
  if (!IsOpaque(root.type()))
    return context.options.program + " record --backfill   # or import a file of that age";
  return context.options.program + " import FILE --type " + base::ShellWord(root.name) +
         " --name NAME   # a file of that age; or record-history, by its own code";
}

void CheckCoverage(CheckContext& context, TypeRun& run) {
  const RevisionRun now = run.At(context.history.latest().number, {});
  CheckUpgradeCode(context, run, now);
  CheckConditions(context, run, now);
  CheckSamplesByHand(context, run.root());
  CheckGates(context, run.root(), now);
  CheckMembers(context, run.root(), now);
}

void CheckNames(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (context.Broken(root)) return;  // read as something it is not
  // Samples at the edges of a condition hold values beside those that have names, on purpose.
  if (decoded.golden->item->name.starts_with("edge-")) return;
  for (const auto& [path, type] : decoded.read.nameless) {
    const revctl::LayoutField nowhere;
    AddUncovered(context, root, Severity::Warning, type, nowhere,
                 type + ": " + decoded.golden->id + " holds a value that has no name, at " + path,
                 "give the value a name again. A name beyond -128..255 that is no power of two has "
                 "to be said at namespace scope:\nREVCTL_ENUMERATORS(" +
                     type + ", every, name, of, it);   // docs/guide/serialize.md",
                 "value without a name");
  }
}

void CheckRecorded(CheckContext& context) {
  if (IsGone(context.store.folder())) return;  // to be put back, not to be recorded
  const History& history = context.history;
  std::vector<const Revision*> before, between, after;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (revision.exists || context.stale->Holds(revision.name)) continue;
    if (history.newest_recorded() == History::none() || i > history.newest_recorded()) {
      after.push_back(&revision);
    } else if (revision.additions.empty()) {  // an imported file is a golden as well
      (i < history.oldest_recorded() ? before : between).push_back(&revision);
    }
  }
  if (history.newest_recorded() == History::none() && after.size() > 1) {
    // Nothing is recorded yet: an adopter begins with today's revision, not with history.
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
                ": no goldens are recorded, though later revisions have some", older);
  AddUnrecorded(context, before, Severity::Note,
                ": older than the first goldens; what they mean is not protected", older);
}

}  // namespace revctl::harness
