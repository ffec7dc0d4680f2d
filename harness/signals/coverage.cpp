// GH007, coverage: what no golden and no automatic sample reaches, and revisions without goldens.
#include <algorithm>
#include <limits>

#include "golden/shell_word.h"
#include "harness/source_place.h"
#include "harness/signals/signals.h"
#include "harness/upgraded_values.h"

namespace harness {
namespace {

/// The one cause that is a mistake on every day: a gate above the latest revision.
constexpr const char* kNeverSaved = "gate";

void Add(CheckContext& context, const RootType& root, Severity severity, const std::string& type,
         const revctl::LayoutField& field, const std::string& message, const std::string& fix,
         const std::string& cause, const std::string& revision = "") {
  // What was uncovered when the project adopted the harness was accepted then.
  if (cause != kNeverSaved) {
    const std::string place = type + (field.name.empty() ? "" : "." + field.name) + ": " + cause;
    if (context.Accepted(place)) return;
    if (context.uncovered != nullptr) context.uncovered->push_back(place);
  }
  Finding finding;
  finding.rule = rule::kCoverage;
  finding.severity = severity;
  finding.signal = "coverage";
  finding.type = type;
  finding.field = field.name;
  finding.revision = revision.empty() ? context.history.latest().name : revision;
  finding.file = context.Relative(field.file.empty() ? root.entry.file : field.file);
  finding.line = field.file.empty() ? root.entry.line : field.line;
  finding.message = message;
  finding.fix = fix;
  context.verdicts.Add(std::move(finding), cause);
}

void CheckConditions(CheckContext& context, const TypeRun& run, const RevisionRun& now) {
  const std::string& root = run.root().name;
  for (const auto& [key, condition] : run.conditions()) {
    const auto& [type, field, number, seen] = condition;
    if (seen.when_true && seen.when_false) continue;
    const std::string wanted = seen.when_true ? "false" : "true";
    const std::string message =
        type + "." + field.name + ": no sample and no golden makes `" + field.condition + "` " + wanted;
    std::string fix =
        "HARNESS_SAMPLE(" + root + ", \"" + field.name + "\") { /* d such that it is " + wanted + " */ }";
    std::string name;
    if (!now.conditions.contains(key)) {  // no object of today's can hold what only older files have
      const Revision* revision = context.history.Find(number);
      name = revision == nullptr ? std::to_string(number) : revision->name;
      fix = context.options.program + " import FILE --type " + golden::ShellWord(root) + " --name " + golden::ShellWord(field.name) +
            "   # a file of " + name + " in which it is " + wanted;
    }
    Add(context, run.root(), Severity::Warning, type, field, message, fix, "condition", name);
  }
}

void CheckGates(CheckContext& context, const RootType& root, const RevisionRun& now) {
  const Revision& latest = context.history.latest();
  for (const auto& [type, trace] : now.layouts) {
    for (const revctl::LayoutField& field : trace.closed) {
      if (field.since.empty() || field.since_number <= latest.number) continue;
      Add(context, root, Severity::Error, type, field,
          type + "." + field.name + ": its gate " + field.since + " (" +
              std::to_string(field.since_number) + ") is above the latest revision " + latest.name +
              " (" + std::to_string(latest.number) + "), so it is never saved",
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
    text += (i == 0 ? "bytes " : i + 1 == stretches.size() ? " and " : ", ") + std::to_string(stretches[i].first) +
            " to " + std::to_string(stretches[i].second - 1);
  }
  if (stretches.size() > kMost) text += " and " + std::to_string(stretches.size() - kMost) + " more places";
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
    const std::string look =
        unvisited.gaps.empty() ? "" : "; look at " + PlacesInObject(unvisited.gaps) + " of the object";
    const bool more = unvisited.members > Unvisited::kMostCounted;  // perhaps
    if (more && unvisited.visited >= unvisited.members) {
      Add(context, root, Severity::Warning, type, place,
          type + ": its Serialize mentions " + std::to_string(unvisited.visited) +
              " members, more than are counted, so nothing tells whether these are all" + look,
          "put some of them into a struct of their own: " + type + " is then counted, and so is that", "members");
      continue;
    }
    const std::size_t missing = unvisited.members - unvisited.visited;
    Add(context, root, Severity::Error, type, place,
        (more ? "at least " : "") + std::to_string(missing) + " of " + (more ? "the " : "") +
            std::to_string(unvisited.members) + (more ? " or more" : "") + " members of " + type + (missing == 1 ? " is" : " are") +
            " not mentioned by its Serialize in any sample or golden" + look,
        "revctl reserve " + context.list_prefix + "NAME, then ADD(" + context.list_prefix +
            "NAME, member);   // or, if it is not to be saved: SERIALIZE_IGNORE(member);\nor, where a branch of the body "
            "mentions it, a sample that takes it, which the next record keeps:\nHARNESS_SAMPLE(" +
            root.name + ", \"member\") { /* d such that it does */ }",
        "members");
  }
}

/// The oldest gate of a body: what it does with files from before it, no file can show.
std::int64_t Born(const TypeTrace& trace) {
  std::int64_t born = std::numeric_limits<std::int64_t>::max();
  for (const auto* fields : {&trace.layout.fields, &trace.removed, &trace.closed}) {
    for (const revctl::LayoutField& field : *fields) {
      if (!field.since.empty()) born = std::min(born, field.since_number);
    }
  }
  return born;
}

/// Whether the code that wrote the golden still had what ended at `until`: today's code writes the default of a REM's
/// local into a backfilled one.
bool WrittenByCodeBefore(const History& history, const Golden& golden, std::int64_t until) {
  const golden::Provenance& provenance = golden.record->record.provenance;
  if (provenance.command == "import") return true;
  const Revision* code = history.Find(provenance.code);
  return code == nullptr || code->number < until;  // null: older than what is read
}

/// Whether today's code wrote all goldens that hold a field which is gone.
bool OnlyBackfilled(const History& history, const RootType& root, const revctl::LayoutField& field) {
  if (field.since.empty() || field.until.empty()) return false;
  std::size_t goldens = 0, real = 0;
  for (const Golden& golden : history.Goldens(root.name)) {
    const std::int64_t number = history.revisions()[golden.revision].number;
    if (number < field.since_number || number >= field.until_number) continue;
    ++goldens;
    real += WrittenByCodeBefore(history, golden, field.until_number) ? 1 : 0;
  }
  return goldens > 0 && real == 0;
}

/// What upgrade code makes of a field that is gone, goldens that today's code wrote do not show.
void CheckBackfilled(CheckContext& context, const RootType& root, const RevisionRun& now) {
  for (const auto& [type, trace] : now.layouts) {
    for (const revctl::LayoutField& field : trace.removed) {
      if (!OnlyBackfilled(context.history, root, field)) continue;
      Add(context, root, Severity::Note, type, field,
          type + "." + field.name + ": its goldens from before " + field.until + " were written by today's code (record " +
              "--backfill), with its default: what upgrade code makes of other values is shown by none",
          context.options.program + " import FILE --type " + golden::ShellWord(root.name) + " --name " + golden::ShellWord(field.name) +
              "   # a file of that time",
          "backfilled");
    }
  }
}

/// Points at the line of a body that asks for a revision.
revctl::LayoutField PlaceOfTurn(const TypeTrace& trace, const Revision& revision) {
  const SourcePlace asked = ComparisonPlace(trace, revision.name, revision.number);
  revctl::LayoutField place;
  place.file = asked.file;
  place.line = asked.line;
  return place;
}

/// Whether what a body asks for the revision at `index` may be about more than values of old fields: it decides about visits,
/// other than by gates, or the revision brings a field, to which upgrade code may give what a new object has anyway.
bool MeansMore(const History& history, const std::string& type, const TypeTrace& now, std::size_t index) {
  const golden::RecordedType* before = history.TypeAt(type, index - 1);
  if (before == nullptr) return true;
  const Revision& revision = history.revisions()[index];
  const std::int64_t then = history.revisions()[index - 1].number;
  std::vector<std::string> recorded, expected;
  for (const revctl::LayoutField& field : before->layout.fields) recorded.push_back(field.type);
  for (const auto* fields : {&now.layout.fields, &now.removed, &now.closed}) {
    for (const revctl::LayoutField& field : *fields) {
      const bool gated = !field.since.empty();
      if (gated && field.since_number == revision.number) return true;
      if (field.condition.find("revision") != std::string::npos && Mentions(field.condition, revision.name)) return true;
      const bool begun = !gated || field.since_number <= then;
      if (begun && (field.until.empty() || field.until_number > then)) expected.push_back(field.type);
    }
  }
  std::sort(recorded.begin(), recorded.end());
  std::sort(expected.begin(), expected.end());
  return recorded != expected;
}

/// Upgrade code that data decides, too, runs in old files and may still do nothing in all of them.
void CheckTurnThatChangesNothing(CheckContext& context, const TypeRun& run, const std::string& type, const TypeTrace& now,
                                 std::size_t index, std::int64_t next, UpgradedValues& upgraded) {
  const History& history = context.history;
  const Revision& revision = history.revisions()[index];
  if (context.Broken(run.root()) || index == 0 || MeansMore(history, type, now, index)) return;
  const bool said = std::any_of(now.removed.begin(), now.removed.end(), [&](const revctl::LayoutField& field) {
    return field.until_number == revision.number && OnlyBackfilled(history, run.root(), field);
  });
  if (said) return;
  // `if (r.revision >= SR_X && r.revision < SR_Y)` mends files from SR_X on.
  if (const auto seen = upgraded.Look(type, std::numeric_limits<std::int64_t>::min(), revision.number);
      !seen.goldens || seen.changed || upgraded.Look(type, revision.number, next).changed)
    return;
  Add(context, run.root(), Severity::Note, type, PlaceOfTurn(now, revision),
      type + ": what it does with files older than " + revision.name +
          " changes no value of any golden: if data decides, too, no golden has such data",
      context.options.program + " import FILE --type " + golden::ShellWord(run.root().name) + " --name " +
          golden::ShellWord("before-" + revision.name) + "   # a file from before " + revision.name + " that it changes",
      "nothing older than " + revision.name, revision.name);
}

/// Each comparison with a revision has two outcomes, and what stands behind it (a gate, upgrade
/// code) runs in one of them.
void CheckTurns(CheckContext& context, const TypeRun& run, const RevisionRun& now) {
  const History& history = context.history;
  const auto& revisions = history.revisions();
  UpgradedValues upgraded(context.registry, history, context.renames, now.records);
  for (const auto& [type, numbers] : run.sides()) {
    const auto trace = now.layouts.find(type);
    if (trace == now.layouts.end()) continue;
    const std::int64_t born = std::max({Born(trace->second), run.root().entry.since, revisions.front().number});
    for (auto turn = numbers.begin(); turn != numbers.end(); ++turn) {
      const auto& [number, seen] = *turn;
      if ((seen.below && !seen.asked) || number <= born || number > history.latest().number) continue;
      const Revision* revision = history.Find(number);
      if (revision == nullptr) continue;
      if (!seen.below) {
        Add(context, run.root(), Severity::Warning, type, PlaceOfTurn(trace->second, *revision),
            type + ": what it does with files older than " + revision->name +
                " (gates, upgrade code) is reached by no golden and no sample",
            context.options.program + " record --backfill   # or import a file of that age",
            "older than " + revision->name);
        continue;
      }
      // What a pending revision does to goldens is written down by its record.
      const auto index = static_cast<std::size_t>(revision - revisions.data());
      if (index > history.newest_recorded() || !history.AllKnown()) continue;
      const auto next = std::find_if(std::next(turn), numbers.end(), [](const auto& later) { return later.second.asked; });
      CheckTurnThatChangesNothing(context, run, type, trace->second, index,
                                  next == numbers.end() ? std::numeric_limits<std::int64_t>::max() : next->first, upgraded);
    }
  }
}

/// What is registered by hand counts as reached, though only a golden keeps tomorrow's code from reading it otherwise.
void CheckSamplesByHand(CheckContext& context, const RootType& root) {
  const auto& goldens = context.history.Goldens(root.name);
  if (goldens.empty() || !context.pending().empty()) return;  // said already: there is something to record
  for (const SampleEntry& sample : root.samples) {
    const bool held = std::any_of(goldens.begin(), goldens.end(),
                                  [&](const Golden& golden) { return golden.item->name == sample.name; });
    if (held) continue;
    revctl::LayoutField place;
    place.file = sample.file;
    place.line = sample.line;
    Add(context, root, Severity::Warning, root.name, place,
        root.name + ": the sample \"" + sample.name + "\" is in no record: nothing protects what it reaches",
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
  Finding finding;
  finding.rule = rule::kCoverage;
  finding.severity = severity;
  finding.signal = "coverage";
  finding.revision = revisions.front()->name;
  finding.message = Names(revisions) + message;
  finding.fix = fix;
  context.verdicts.Add(std::move(finding), message);
}

}  // namespace

void CheckCoverage(CheckContext& context, TypeRun& run) {
  const RevisionRun now = run.At(context.history.latest().number, {});
  if (context.history.newest_recorded() != History::none()) CheckTurns(context, run, now);
  CheckBackfilled(context, run.root(), now);
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
    Add(context, root, Severity::Warning, type, nowhere,
        type + ": " + decoded.golden->id + " holds a value that has no name, at " + path,
        "give the value a name again; where it has one that the compiler is not asked for (beyond -128..255, no power "
        "of two), say it at namespace scope:\nREVCTL_ENUMERATORS(" +
            type + ", every, name, of, it);   // docs/guide/serialize.md",
        "value without a name");
  }
}

void CheckRecorded(CheckContext& context) {
  const History& history = context.history;
  std::vector<const Revision*> before, between, after;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (revision.exists) continue;
    if (history.newest_recorded() == History::none() || i > history.newest_recorded()) {
      after.push_back(&revision);
    } else {
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
  AddUnrecorded(context, between, Severity::Error,
                ": no goldens are recorded, though later revisions have some",
                context.options.program +
                    " record --backfill   # or check out that revision's code and record there");
  AddUnrecorded(context, before, Severity::Note,
                ": older than the first goldens; what they mean is not protected",
                context.options.program +
                    " record --backfill   # writes them with today's code, marked as such");
}

}  // namespace harness
