// record: writes the goldens of unrecorded revisions if a check finds no errors. A refresh records
// pending revisions again (refresh.h). A baseline accepts every place that no golden covers yet.
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/serialize.h>

#include "harness/commands/approve.h"
#include "harness/commands/command.h"
#include "harness/commands/refresh.h"
#include "harness/commands/session.h"
#include "harness/history/landed.h"
#include "harness/history/stale_pending.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/recording/record_additions.h"
#include "harness/recording/record_parts.h"
#include "harness/recording/recording.h"
#include "harness/signals/verdicts.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// Returns the revisions to record: all revisions after the newest recorded one. If nothing is
/// recorded yet, returns only the latest revision, because the current code did not write older
/// files. With `backfill`, also returns the other revisions without goldens.
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

/// Returns the errors that prevent recording because a golden would preserve the mistake. Does not
/// include missing goldens.
std::vector<Finding> InTheWay(const CheckResult& result) {
  std::vector<Finding> errors;
  for (const Finding& finding : result.findings) {
    if (finding.severity == Severity::Error && !IsUnrecorded(finding)) errors.push_back(finding);
  }
  return errors;
}

bool Report(const Session& session, const Recording& recording, const std::string& file) {
  for (const std::string& trouble : recording.troubles)
    std::fprintf(stderr, "error: %s\n", trouble.c_str());
  if (!session.quiet) {
    const golden::RevisionRecord& record = recording.record;
    std::printf("OK: recorded %s: %s, %s, %s -> %s\n", record.revision.c_str(),
                Counted(record.types.size(), "layout").c_str(),
                Counted(record.cases.size() + record.large.size(), "golden").c_str(),
                Counted(record.upgrades.size(), "changed upgrade").c_str(), file.c_str());
  }
  return recording.troubles.empty();
}

void TellLosses(const std::string& revision, const Recording& recording) {
  for (const std::string& loss : recording.losses)
    std::fprintf(stderr, "warning: %s: %s\n", revision.c_str(), loss.c_str());
  for (const std::string& warning : recording.warnings)
    std::fprintf(stderr, "warning: %s: %s\n", revision.c_str(), warning.c_str());
}

/// Reports the revisions without a record, because a refresh does not record them.
void TellUnrecorded(const Session& session) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  for (const std::size_t index : Missing(history, false))
    std::fprintf(stderr, "%s has no goldens yet; run %s record\n",
                 history.revisions()[index].name.c_str(), session.program.c_str());
}

Exit RemoveAdditions(const Session& session, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (auto removed = golden::RemoveAddition(session.golden, file); !removed)
      return Refuse(Exit::Environment, removed.error());
  }
  return Exit::Fine;
}

/// Returns the landed revisions that this branch contains, or nullopt if they are unknown.
std::optional<std::set<std::string>> LandedHere(const Session& session, const Landed& landed) {
  if (!landed.known()) return std::nullopt;
  std::set<std::string_view> here;
  for (const revctl::ListEntry& entry : session.list->entries) here.insert(entry.name);
  return landed.JoinedWith(here);
}

std::set<std::string> UnfoldedHere(const Session& session, const Landed& landed) {
  std::set<std::string> unfolded;
  for (const revctl::ListEntry& entry : session.list->entries) {
    if (landed.IsUnfolded(std::string(entry.name))) unfolded.emplace(entry.name);
  }
  return unfolded;
}

/// True if none of the records after `index` will be recorded again.
bool IsLastStale(const RefreshSet& refresh_set, std::size_t index) {
  return std::none_of(refresh_set.records.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                      refresh_set.records.end(), [](const KeptRecord& kept) { return kept.stale; });
}

/// Fails if upgrade code of a stale record was lost, because a new record would hide the loss. A
/// fold then leaves out this revision and folds the others.
Exit RefuseLostUpgrades(const Session& session, const golden::Store& store,
                        const CheckResult& result) {
  auto lost = InTheWay(result);
  std::erase_if(lost, [](const Finding& finding) { return finding.rule != RuleId::UpgradedValue; });
  if (lost.empty() || Landed::IsFold()) return Exit::Fine;
  const StalePending stale = FindStalePending(*session.list, store);
  if (stale.revisions.empty()) return Exit::Fine;
  std::fputs(revctl::findings::Render(lost, session.format, session.colour).c_str(), stdout);
  std::string names;
  for (const std::string& revision : stale.revisions) names += " " + revision;
  return Refuse(Exit::Findings,
                "nothing was refreshed, because new goldens would hide the lost upgrade code",
                fmt::format("restore the upgrade code and run this command again\nor, if the "
                            "current values are right: {} record --refresh{}",
                            session.program, names));
}

/// Marks the stale records of `refresh_set`. Empties the set if no record is stale.
Exit KeepWhatIsNotStale(const Session& session, RefreshSet& refresh_set) {
  const golden::Store store = golden::Store::Open(session.golden);
  if (!refresh_set.records.empty()) {
    const CheckResult result = CheckShown(session, store, OptionsOf(session));
    if (const Exit exit = RefuseLostUpgrades(session, store, result); exit != Exit::Fine)
      return exit;
    FindStale(session, result, refresh_set);
  } else if (!session.quiet) {
    std::fprintf(stderr, "OK: nothing to refresh: every recorded revision has landed\n");
  }
  bool stale = false;
  for (const KeptRecord& kept : refresh_set.records) {
    stale = stale || kept.stale;
    if (kept.stale) continue;
    if (!session.quiet) std::printf("%s: goldens are up to date\n", kept.revision.c_str());
    if (auto removed = golden::RemovePutAside(session.golden, kept.revision); !removed)
      return Refuse(Exit::Environment, removed.error());
    if (const Exit exit = RemoveAdditions(session, kept.taken_over); exit != Exit::Fine)
      return exit;
  }
  if (!stale) refresh_set = {};
  return Exit::Fine;
}

bool IsEmpty(const Recording& recording) {
  return recording.record.cases.empty() && recording.record.large.empty() &&
         recording.record.files.empty();
}

/// A recording without the types that failed, and the reasons why they failed.
struct Attempt {
  Recording recording;  ///< has troubles only if nothing could be recorded
  std::vector<std::string> troubles;
  std::set<std::string> failed;
};

/// Records with `make`. If some types fail, tries again without them, so that the goldens of the
/// other types are not lost.
Attempt RecordWhatWorks(const std::function<Recording(const RecordingOptions&)>& make,
                        RecordingOptions options) {
  Attempt out{make(options), {}, {}};
  if (out.recording.troubles.empty()) return out;
  out.troubles = out.recording.troubles;
  out.failed = out.recording.failed;
  options.left_out.insert(out.failed.begin(), out.failed.end());
  if (out.failed.empty()) return out;
  Recording rest = make(options);
  if (rest.troubles.empty() && !IsEmpty(rest)) out.recording = std::move(rest);
  return out;
}

/// Reports the types that an attempt left out. Returns Findings if there are any, and Fine
/// otherwise.
Exit ReportLeftOut(const Session& session, const Attempt& attempt, const History& history) {
  if (attempt.troubles.empty()) return Exit::Fine;
  std::string names, refresh;
  for (const std::string& name : attempt.failed) {
    names += (names.empty() ? "" : ", ") + name;
    if (!history.SmallAndLarge(name).empty())
      refresh = " --refresh " + attempt.recording.record.revision;
  }
  for (const std::string& trouble : attempt.troubles)
    std::fprintf(stderr, "error: %s\n", trouble.c_str());
  return Refuse(Exit::Findings, names + ": not recorded; the other types were recorded",
                fmt::format("fix these errors, then run {} record{}", session.program, refresh));
}

/// Writes the record at `options.kept_at` in `refresh_set`, and removes the former additions to it.
/// Reopens the store for each record, because a record determines what the next one inherits.
Exit RecordOne(const Session& session, const RefreshSet& refresh_set,
               const RecordingOptions& options, bool replace) {
  const KeptRecord& kept = refresh_set.records[options.kept_at];
  const golden::Store store =
      OpenWithout(session, refresh_set, replace ? options.kept_at : refresh_set.records.size());
  const History history(*session.list, store);
  const Revision* revision = history.Find(kept.revision);
  if (revision == nullptr) return Exit::Fine;
  const auto make = [&](const RecordingOptions& given) {
    return Record(session.registry, history, history.IndexOf(*revision), given);
  };
  // A replacement must contain the goldens of all types.
  const Attempt attempt = replace ? Attempt{make(options), {}, {}} : RecordWhatWorks(make, options);
  const Recording& recording = attempt.recording;
  if (!recording.troubles.empty()) {
    Report(session, recording, "nothing");
    return Exit::Findings;
  }
  TellLosses(revision->name, recording);
  if (recording.nothing) return Exit::Fine;
  if (auto written = golden::WriteRecord(session.golden, recording.record, recording.payloads,
                                         replace, recording.large);
      !written) {
    return Refuse(Exit::Environment, written.error());
  }
  if (const Exit exit = RemoveAdditions(session, kept.additions); exit != Exit::Fine) return exit;
  Report(session, recording, session.golden + "/" + revision->name + ".yaml");
  if (const Exit exit = ReportLeftOut(session, attempt, history); exit != Exit::Fine) return exit;
  return OfferTextconv(session);
}

/// Writes an addition. Sets `file` to the name of the written file, if any.
Exit Add(const Session& session, const Recording& recording, std::string* file = nullptr) {
  if (!recording.troubles.empty()) {
    Report(session, recording, "nothing");
    return Exit::Findings;
  }
  TellLosses(recording.record.revision, recording);
  if (IsEmpty(recording)) return Exit::Fine;
  const auto written =
      golden::WriteAddition(session.golden, recording.record, recording.payloads, recording.large);
  if (!written) return Refuse(Exit::Environment, written.error());
  Report(session, recording, session.golden + "/" + *written);
  if (file != nullptr) *file = *written;
  return Exit::Fine;
}

Exit RecordWhatWasAdded(const Session& session, const CheckResult& result) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  const Attempt attempt = RecordWhatWorks(
      [&](const RecordingOptions& given) {
        return RecordAdditions(session.registry, history, given);
      },
      {"record", session.seed, {}, false});
  const Recording& recording = attempt.recording;
  const bool nothing = IsEmpty(recording) && recording.troubles.empty() && result.untested.empty();
  if (nothing && !session.quiet) {
    std::fprintf(stderr, "OK: nothing to record: every revision up to %s has its goldens\n",
                 history.latest().name.c_str());
  }
  if (const Exit exit = Add(session, recording); exit != Exit::Fine) return exit;
  return ReportLeftOut(session, attempt, history);
}

/// Records goldens of revisions that upgrade code now distinguishes from older revisions. These
/// goldens replace `refresh_set.copies`.
Exit RecordUntested(const Session& session, const CheckResult& result,
                    const RefreshSet& refresh_set) {
  const RefreshSet without{{}, refresh_set.copies};
  std::vector<std::string> left = refresh_set.copies;
  std::map<std::string, std::vector<std::string>> types;  // root types by revision
  for (const UntestedUpgrade& untested : result.untested)
    types[untested.revision].push_back(untested.type);
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
  // Remove old files last, so that a killed run leaves only superfluous files, which the next run
  // removes.
  for (const std::string& file : left) {
    if (const auto removed = golden::RemoveAddition(session.golden, file); !removed)
      return Refuse(Exit::Environment, removed.error());
    if (!session.quiet)
      std::printf("removed %s/%s, which was made by older code\n", session.golden.c_str(),
                  file.c_str());
  }
  return Exit::Fine;
}

/// Stops with an error if no type of the program can be backfilled.
Exit RefuseBackfill(const Session& session) {
  const auto& types = session.registry.types;
  const bool all = std::all_of(types.begin(), types.end(),
                               [](const RootType& root) { return IsOpaque(root.type()); });
  if (types.empty() || !all) return Exit::Fine;
  return Refuse(Exit::Usage, fmt::format("{}: {}", types.front().name, kNoBackfill),
                fmt::format("{} import FILE --type {} --name NAME   # a file of an older revision",
                            session.program, base::ShellWord(types.front().name)));
}

/// A root type that cannot have goldens, because even an empty object is too large.
struct TooLargeType {
  std::string name;
  std::size_t bytes = 0;  ///< size of an empty object
};

/// The arguments of a child that measures empty objects.
struct SizesMessage {
  std::vector<std::string> types;
  std::int64_t latest = 0;
  std::uint64_t seed = 1;
};
SERIALIZE_TYPE(SizesMessage) {
  ADD(0, types);
  ADD(0, latest);
  ADD(0, seed);
}
SERIALIZE_END

/// Answers with the size of each type that is too large, and with 0 for the others.
const JobKind kSizes("sizes of empty objects", [](const JobInput& input) -> std::string {
  SizesMessage message;
  if (!Unpack(input.arguments, message)) return "";
  std::vector<std::uint64_t> sizes;
  for (const std::string& name : message.types) {
    const RootType* const root = input.registry.Find(name);
    sizes.push_back(
        root == nullptr ? 0 : SizeIfTooLarge(*root, message.latest, message.seed).value_or(0));
  }
  return Pack(sizes);
});

/// Determines, before any samples are made, which types without goldens are too large for any
/// golden. Uses a child process, because writing an object runs the user's code.
std::vector<TooLargeType> TooLargeTypes(const Session& session, const golden::Store& store) {
  const History history(*session.list, store);
  std::vector<const RootType*> unknown;
  for (const RootType& root : session.registry.types) {
    if (root.samples.empty() && history.SmallAndLarge(root.name).empty()) unknown.push_back(&root);
  }
  if (unknown.empty()) return {};
  SizesMessage message{{}, history.latest().number, session.seed};
  for (const RootType* root : unknown) message.types.push_back(root->name);
  Supervisor supervisor;
  const bool started =
      supervisor.ok() && supervisor.Start({kSizes, {session.registry}, Pack(message)});
  // A type that crashes or hangs here does the same in the check, which reports it.
  constexpr std::chrono::seconds kLongestIdle{10}, kLongest{60};
  if (!started ||
      supervisor.Finish([] { return false; }, {kLongestIdle, kLongest}).how != Ending::How::Well)
    return {};
  std::vector<TooLargeType> out;
  std::vector<std::uint64_t> sizes;
  if (!Unpack(supervisor.answer(), sizes) || sizes.size() != unknown.size()) return {};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 0) out.push_back({unknown[i]->name, static_cast<std::size_t>(sizes[i])});
  }
  return out;
}

/// Reports types that are too large for goldens, and removes them from `session`. Returns Findings
/// if no type is left.
Exit LeaveOutTooLarge(Session& session, const golden::Store& store,
                      std::vector<TooLargeType>& refused) {
  refused = TooLargeTypes(session, store);
  for (const TooLargeType& type : refused) {
    std::fprintf(stderr, "error: %s\n", TooLargeText(type.name, type.bytes).c_str());
    std::erase_if(session.registry.types,
                  [&](const RootType& root) { return root.name == type.name; });
  }
  if (refused.empty() || !session.registry.types.empty()) return Exit::Fine;
  return Refuse(
      Exit::Findings, "nothing was recorded, because every sample of these types is too large",
      "list a large memory block as one value (revctl::MemoryState), not as an array of numbers");
}

/// Accepts every place that no golden covers yet, for a project that adopts the harness.
Exit RecordBaseline(const Session& session, const CheckResult& result, const std::string& reason) {
  if (!IsReason(reason))
    return Refuse(Exit::Usage, "a baseline needs a reason, so that others can understand it later",
                  session.program + " record --baseline --reason \"...\"");
  golden::Approval approval;
  approval.kind = golden::Approval::Kind::Baseline;
  approval.reason = reason;
  approval.places = result.uncovered;
  std::sort(approval.places.begin(), approval.places.end());
  approval.places.erase(std::unique(approval.places.begin(), approval.places.end()),
                        approval.places.end());
  if (approval.places.empty()) {
    std::fprintf(stderr, "OK: everything is covered, so no baseline is needed\n");
    return Exit::Fine;
  }
  const auto written = golden::WriteApproval(session.golden, approval);
  if (!written) return Refuse(Exit::Environment, written.error());
  if (!session.quiet)
    std::printf("OK: baseline of %s -> %s/%s\n", Counted(approval.places.size(), "place").c_str(),
                session.golden.c_str(), written->c_str());
  return Exit::Fine;
}

/// Carries out a `record` command, after RunRecord has removed types that cannot be recorded.
Exit RecordTypes(const Session& session, const RecordArguments& arguments) {
  RefreshSet refresh_set;
  const bool pending = arguments.refresh_pending;
  if (pending || !arguments.refresh.empty()) {
    const Exit exit = pending ? FindPending(session, refresh_set)
                              : FindRefreshed(session, arguments.refresh, refresh_set);
    if (exit != Exit::Fine) return exit;
  }
  if (pending) {
    if (const Exit exit = KeepWhatIsNotStale(session, refresh_set); exit != Exit::Fine) return exit;
    if (refresh_set.records.empty()) {
      TellUnrecorded(session);
      return Exit::Fine;
    }
  }
  // Check everything first, because a golden preserves mistakes in the code.
  const golden::Store store = OpenWithout(session, refresh_set);
  const CheckResult result = CheckShown(session, store, OptionsOf(session));
  if (arguments.baseline) return RecordBaseline(session, result, arguments.reason);
  auto errors = InTheWay(result);
  // A damaged record may be recorded again.
  std::erase_if(errors, [&](const Finding& finding) {
    return finding.rule == RuleId::GoldenStore &&
           std::any_of(refresh_set.records.begin(), refresh_set.records.end(),
                       [&](const KeptRecord& kept) {
                         return finding.file.find("/" + kept.revision + ".") != std::string::npos;
                       });
  });
  if (!errors.empty()) {
    std::fputs(revctl::findings::Render(errors, session.format, session.colour).c_str(), stdout);
    return Refuse(Exit::Findings, History(*session.list, store).newest_recorded() == History::none()
                                      ? "nothing was recorded, because new goldens would preserve "
                                        "these errors; fix them first"
                                      : "nothing was recorded, because older files are no longer "
                                        "read correctly; fix these errors first");
  }
  RecordingOptions options{"record --refresh", session.seed, Renames(store.approvals()), true};
  const Landed landed(session.golden);
  options.landed = LandedHere(session, landed);
  options.unfolded = UnfoldedHere(session, landed);
  for (std::size_t i = 0; i < refresh_set.records.size(); ++i) {
    if (!refresh_set.records[i].stale) continue;
    options.upgrades = IsLastStale(refresh_set, i);
    options.kept = &refresh_set.records;
    options.kept_at = i;
    if (const Exit exit = RecordOne(session, refresh_set, options, true); exit != Exit::Fine)
      return exit;
  }
  if (pending) TellUnrecorded(session);
  if (!refresh_set.records.empty()) return RecordUntested(session, result, refresh_set);
  const History history(*session.list, store);
  const auto missing = Missing(history, arguments.backfill);
  if (arguments.backfill && !missing.empty() && missing.front() + 1 < history.revisions().size()) {
    if (const Exit exit = RefuseBackfill(session); exit != Exit::Fine) return exit;
  }
  if (missing.empty()) {
    if (const Exit exit = RecordWhatWasAdded(session, result); exit != Exit::Fine) return exit;
  }
  RefreshSet first;
  for (const std::size_t index : missing)
    first.records.push_back(KeptText(session, history.revisions()[index].name));
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const bool today = missing[i] + 1 == history.revisions().size();
    options.command = arguments.backfill && !today ? "record --backfill" : "record";
    options.upgrades = i + 1 == missing.size();
    options.kept = &first.records;
    options.kept_at = i;
    if (const Exit exit = RecordOne(session, first, options, false); exit != Exit::Fine)
      return exit;
  }
  return RecordUntested(session, result, {});
}

}  // namespace

Exit RunRecord(const Session& given, const RecordArguments& arguments) {
  // `revctl land` and `revctl fold` set this for the target's `goldens` command.
  const bool by_revctl = std::getenv("REVCTL_GOLDENS") != nullptr;
  // --allow-ci applies only to goldens, not to a baseline.
  if (UnderCi() && arguments.baseline)
    return Refuse(
        Exit::Usage,
        "`record --baseline` refuses to run in CI ($CI is set), because a person should review it");
  if (UnderCi() && !arguments.allow_ci && !by_revctl) {
    return Refuse(
        Exit::Usage,
        "`record` refuses to run in CI ($CI is set), because a person should review new goldens",
        given.program +
            " record --allow-ci   # for a job that refreshes the goldens of a pending revision");
  }
  if (arguments.baseline || arguments.refresh_pending || !arguments.refresh.empty())
    return RecordTypes(given, arguments);
  Session session = given;
  std::vector<TooLargeType> refused;
  const golden::Store store = golden::Store::Open(session.golden);
  if (const Exit exit = LeaveOutTooLarge(session, store, refused); exit != Exit::Fine) return exit;
  const Exit exit = RecordTypes(session, arguments);
  return exit == Exit::Fine && !refused.empty() ? Exit::Findings : exit;
}

}  // namespace revctl::harness
