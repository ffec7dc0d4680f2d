#include <algorithm>
#include <cstdio>
#include <map>

#include "harness/commands/approving.h"
#include "harness/commands/command.h"
#include "harness/commands/git_attributes.h"
#include "harness/inherited_copies.h"
#include "harness/isolated_check.h"
#include "harness/landed.h"
#include "harness/recording.h"

namespace harness {
namespace {

/// Which revisions to write: those behind the newest recorded one; where nothing is recorded yet,
/// the latest alone, since today's code was not there when older files were written. `backfill`
/// adds the others.
std::vector<std::size_t> Missing(const History& history, bool backfill) {
  std::vector<std::size_t> missing;
  const std::size_t newest = history.newest_recorded();
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    if (history.revisions()[i].exists) continue;
    const bool pending =
        newest == History::none() ? i + 1 == history.revisions().size() : i > newest;
    if (pending || backfill) missing.push_back(i);
  }
  return missing;
}

/// What must not be written down as if it were right. Revisions without goldens are what recording
/// is for.
std::vector<Finding> InTheWay(const CheckResult& result) {
  std::vector<Finding> errors;
  for (const Finding& finding : result.findings) {
    const bool missing = finding.rule == rule::kCoverage && finding.type.empty();
    if (finding.severity == Severity::Error && !missing) errors.push_back(finding);
  }
  return errors;
}

bool Report(const Session& session, const Recording& recording, const std::string& file) {
  for (const std::string& trouble : recording.troubles)
    std::fprintf(stderr, "error: %s\n", trouble.c_str());
  if (!session.quiet) {
    const golden::RevisionRecord& record = recording.record;
    std::printf("recorded %s: %s, %s, %s -> %s\n", record.revision.c_str(),
                Counted(record.types.size(), "layout").c_str(),
                Counted(record.cases.size(), "golden").c_str(),
                Counted(record.upgrades.size(), "changed upgrade").c_str(), file.c_str());
  }
  return recording.troubles.empty();
}

Exit Fail(const golden::Problem& problem) {
  return Refuse(Exit::Environment, problem.file + ": " + problem.message, problem.fix);
}

/// What is written once more.
struct Anew {
  std::vector<std::string> revisions;  ///< pending ones, in the list's order
  /// FindInheritedCopies: what their code made of goldens of older revisions
  std::vector<std::string> copies;
};

/// The store without what is to be written anew, of revisions from the one at `first` on.
golden::Store OpenWithout(const Session& session, const Anew& anew, std::size_t first = 0) {
  golden::Store store = golden::Store::Open(session.golden);
  for (std::size_t i = first; i < anew.revisions.size(); ++i) store.Forget(anew.revisions[i]);
  for (const std::string& file : anew.copies) store.ForgetAddition(file);
  return store;
}

/// Writes one revision into `store`, which is opened anew for each, since what is recorded decides
/// what the next one inherits.
Exit RecordOne(const Session& session, const golden::Store& store, const std::string& revision,
               const RecordingOptions& options, bool replace) {
  const History history(*session.list, store);
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    if (history.revisions()[i].name != revision) continue;
    const Recording recording = Record(session.registry, history, i, options);
    if (!recording.troubles.empty()) {
      Report(session, recording, "nothing");
      return Exit::Findings;
    }
    if (auto written =
            golden::WriteRecord(session.golden, recording.record, recording.payloads, replace);
        !written) {
      return Fail(written.problem());
    }
    Report(session, recording, session.golden + "/" + revision + ".yaml");
    return OfferTextconv(session);
  }
  return Exit::Fine;
}

/// `file`: gets the name of what is written, if anything is.
Exit Add(const Session& session, const Recording& recording, std::string* file = nullptr) {
  if (!recording.troubles.empty()) {
    Report(session, recording, "nothing");
    return Exit::Findings;
  }
  if (recording.record.cases.empty()) return Exit::Fine;
  const auto written = golden::WriteAddition(session.golden, recording.record, recording.payloads);
  if (!written) return Fail(written.problem());
  Report(session, recording, session.golden + "/" + *written);
  if (file != nullptr) *file = *written;
  return Exit::Fine;
}

Exit RecordWhatWasAdded(const Session& session, const CheckResult& result) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  const Recording recording =
      RecordAdditions(session.registry, history, {"record", session.seed, {}, false});
  const bool nothing =
      recording.record.cases.empty() && recording.troubles.empty() && result.unshown.empty();
  if (nothing && !session.quiet) {
    std::fprintf(stderr, "nothing to record: every revision up to %s has its goldens\n",
                 history.latest().name.c_str());
  }
  return Add(session, recording);
}

/// Goldens of revisions that upgrade code has begun to tell from older ones since they were
/// recorded, in place of `anew.copies`.
Exit RecordUnshown(const Session& session, const CheckResult& result, const Anew& anew) {
  const Anew without{{}, anew.copies};
  std::vector<std::string> left = anew.copies;
  std::map<std::string, std::vector<std::string>> types;  // by revision
  for (const Unshown& unshown : result.unshown) types[unshown.revision].push_back(unshown.type);
  for (const auto& [revision, roots] : types) {
    const golden::Store store = OpenWithout(session, without);
    const History history(*session.list, store);
    const Revision* found = history.Find(revision);
    if (found == nullptr) continue;
    const RecordingOptions options{"record", session.seed, Renames(store.approvals()), false};
    std::string file;
    if (const Exit exit =
            Add(session,
                RecordInherited(session.registry, history, history.IndexOf(*found), roots, options),
                &file);
        exit != Exit::Fine)
      return exit;
    std::erase(left, file);
  }
  // Last: a kill leaves what says too much, which the same command mends, and nothing is lost.
  for (const std::string& file : left) {
    if (const auto removed = golden::RemoveAddition(session.golden, file); !removed)
      return Fail(removed.problem());
    if (!session.quiet)
      std::printf("removed %s/%s: what older code made of its goldens\n", session.golden.c_str(),
                  file.c_str());
  }
  return Exit::Fine;
}

/// Accepts every place that is uncovered today: what a project brings along when it adopts the
/// harness.
Exit RecordBaseline(const Session& session, const CheckResult& result, const std::string& reason) {
  if (!IsReason(reason))
    return Refuse(Exit::Usage, "a baseline needs a reason, for those who come later",
                  session.program + " record --baseline --reason \"...\"");
  golden::Approval approval;
  approval.kind = golden::Approval::Kind::Baseline;
  approval.reason = reason;
  approval.places = result.uncovered;
  std::sort(approval.places.begin(), approval.places.end());
  approval.places.erase(std::unique(approval.places.begin(), approval.places.end()),
                        approval.places.end());
  if (approval.places.empty()) {
    std::fprintf(stderr, "nothing is uncovered: no baseline is needed\n");
    return Exit::Fine;
  }
  const auto written = golden::WriteApproval(session.golden, approval);
  if (!written) return Fail(written.problem());
  if (!session.quiet)
    std::printf("baseline of %s -> %s/%s\n", Counted(approval.places.size(), "place").c_str(),
                session.golden.c_str(), written->c_str());
  return Exit::Fine;
}

/// The revisions to write anew, in the list's order. Each record says what changed since the one
/// before it, about its goldens too, so that those recorded behind one go with it: what they said
/// would be about goldens that are no more. Nobody's record is rewritten unasked, and none that has
/// landed.
Exit FindRefreshed(const Session& session, const History& history,
                   const std::vector<std::string>& wanted, Anew& anew) {
  std::vector<std::string>& refreshed = anew.revisions;
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    const revctl::ListEntry* entry = FindRevision(session, name);
    if (entry == nullptr) return Refuse(Exit::Usage, "the list has no revision " + name);
    if (history.Find(entry->name) == nullptr)
      return Refuse(Exit::Usage,
                    std::string(entry->name) +
                        " is older than all that is read: its goldens stay as they are");
    names.emplace_back(entry->name);
  }
  const Landed landed(session.golden);
  for (const std::string& name : names) {
    if (!landed.Has(name)) continue;
    return Refuse(Exit::Findings,
                  name + " has landed: " + landed.branch() +
                      " has its goldens, and files like them are in users' hands",
                  "revctl reserve NAME, and let " + session.program +
                      " record write what that revision changes");
  }
  std::string unasked, command = session.program + " record";
  for (const Revision& revision : history.revisions()) {
    const bool asked = std::find(names.begin(), names.end(), revision.name) != names.end();
    const bool behind = !refreshed.empty() && revision.exists;
    if (!asked && !behind) continue;
    if (!asked) unasked += (unasked.empty() ? "" : ", ") + revision.name;
    refreshed.push_back(revision.name);
    command += " --refresh " + revision.name;
  }
  anew.copies = FindInheritedCopies(history, refreshed, landed);
  if (unasked.empty()) return Exit::Fine;
  return Refuse(
      Exit::Usage,
      unasked + ", recorded behind " + refreshed.front() +
          ", says what changed since then: both are written anew, or none (a landed one never is)",
      command);
}

}  // namespace

Exit RunRecord(const Session& session, const RecordArguments& arguments) {
  // A baseline accepts what is there, so --allow-ci, which is about goldens, does not help it.
  if (UnderCi() && arguments.baseline)
    return Refuse(Exit::Usage, "CI is set: what is accepted with a baseline, a person accepts");
  if (UnderCi() && !arguments.allow_ci) {
    return Refuse(
        Exit::Usage,
        "CI is set: goldens are recorded by people and reviewed, not made up by a build",
        session.program +
            " record --allow-ci   // for a job that refreshes the goldens of a pending revision");
  }
  Anew anew;
  if (!arguments.refresh.empty()) {
    const golden::Store all = golden::Store::Open(session.golden);
    if (const Exit exit =
            FindRefreshed(session, History(*session.list, all), arguments.refresh, anew);
        exit != Exit::Fine)
      return exit;
  }
  const std::vector<std::string>& refreshed = anew.revisions;
  const golden::Store store = OpenWithout(session, anew);
  const CheckResult result =
      CheckIsolated(session.registry, *session.list, store, OptionsOf(session));
  if (arguments.baseline) return RecordBaseline(session, result, arguments.reason);
  auto errors = InTheWay(result);
  // A damaged record is one more reason to write it anew.
  std::erase_if(errors, [&](const Finding& finding) {
    return finding.rule == rule::kStore &&
           std::any_of(refreshed.begin(), refreshed.end(), [&](const std::string& revision) {
             return finding.file.find("/" + revision + ".") != std::string::npos;
           });
  });
  if (!errors.empty()) {
    std::fputs(revctl::findings::Render(errors, session.format, session.colour).c_str(), stdout);
    return Refuse(
        Exit::Findings,
        History(*session.list, store).newest_recorded() == History::none()
            ? "nothing is recorded while there are errors that every golden would keep; mend them "
              "first"
            : "nothing is recorded while older files are not read as they were; mend this first");
  }
  for (std::size_t i = 0; i < refreshed.size(); ++i) {
    const RecordingOptions options{"record --refresh", session.seed, Renames(store.approvals()),
                                   i + 1 == refreshed.size()};
    if (const Exit exit =
            RecordOne(session, OpenWithout(session, anew, i), refreshed[i], options, true);
        exit != Exit::Fine)
      return exit;
  }
  if (!refreshed.empty()) return RecordUnshown(session, result, anew);
  const History history(*session.list, store);
  const auto missing = Missing(history, arguments.backfill);
  if (missing.empty()) {
    if (const Exit exit = RecordWhatWasAdded(session, result); exit != Exit::Fine) return exit;
  }
  for (const std::size_t index : missing) {
    const bool today = index + 1 == history.revisions().size();
    RecordingOptions options{today ? "record" : "record --backfill", session.seed,
                             Renames(store.approvals()), index == missing.back()};
    if (const Exit exit = RecordOne(session, OpenWithout(session, {}),
                                    history.revisions()[index].name, options, false);
        exit != Exit::Fine)
      return exit;
  }
  return RecordUnshown(session, result, {});
}

}  // namespace harness
