#include "revctl/fixing/fix.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "revctl/base/shell_word.h"
#include "revctl/findings/rule_table.h"
#include "revctl/fixing/adopt.h"
#include "revctl/gate/check_target.h"
#include "revctl/gate/facts.h"
#include "revctl/gate/gate.h"
#include "revctl/list/writing/edit.h"
#include "revctl/repair/repair_goldens.h"
#include "revctl/repair/repair_list.h"
#include "revctl/tree/tree.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// One run of FixLists.
class FixRun {
 public:
  FixRun(ChangeSet& changes, const FixRequest& request, const base::Listener& listener)
      : changes_(changes),
        workspace_(changes.workspace()),
        request_(request),
        listener_(listener) {}

  Result<Done> Run() {
    TRY(auto snapshot, workspace_.LastSeen(listener_));
    const ReleaseQuestion releases = workspace_.Releases(snapshot.target);
    TRY(const auto release, FindReleaseHere(releases));
    if (!request_.last.empty())
      TRY(workspace_.RefuseOnRelease(releases, "reserve " + request_.last.front()));
    for (const list::ListConfig* list : request_.lists) {
      TRY(const auto repair, RepairOne(*list));
      if (!repair) continue;
      if (!release) TRY(FixPending(*list, snapshot));
      TRY(FixComments(*list, *repair));
    }
    // A dry run writes nothing, so it cannot check which findings would remain.
    const bool unchanged = report_.done.empty() && changes_.empty();
    if (!changes_.dry_run() || unchanged) TRY(CheckResult());
    return Done{};
  }

  FixReport& report() { return report_; }

 private:
  /// Repairs the pending files of a list with numbers at landing. For other lists, assigns numbers
  /// to the pending revisions so that they can land.
  Result<Done> FixPending(const list::ListConfig& list, const ledger::Snapshot& snapshot) {
    if (AtLanding(list)) {
      if (!request_.last.empty())
        return Error{
            Exit::Usage,
            fmt::format("{} has `numbers: at-landing`, so --last has no effect", list.path),
            fmt::format("revctl reserve {} --after OTHER", base::ShellWord(request_.last.front()))};
      return FixPendingFiles(changes_, list, snapshot, report_.done);
    }
    TRY(const bool behind, TurnedToLanding(list, snapshot.target));
    if (behind) return Done{};  // the gate will tell the user to merge the target
    TRY(ReservePendingFiles(changes_, list, report_.done, listener_));
    return GiveNumbers(list, snapshot);
  }

  Result<Done> FixComments(const list::ListConfig& list, const ListRepair& repair) {
    TRY(const auto text, workspace_.ReadList(list));
    const std::string right = repair.WithRightComments(text);
    if (right == text) return Done{};
    report_.done.push_back(list.path + ": corrected numbers in comments");
    return changes_.WriteList(list, right);
  }

  /// Saves the numbers that the list has before the first repair, for the report. Takes them from
  /// HEAD if the list cannot be parsed, for example because of conflict markers.
  Result<Done> NoteNumbers(const list::ListConfig& list, const std::string& text) {
    std::map<std::string, std::int64_t>& numbers = numbers_[list.name];
    const auto note = [&](const list::RevisionList& before) {
      for (const list::Entry* entry : before.Revisions())
        numbers.emplace(entry->name, entry->number);
    };
    if (const auto here = list::Parse(text, list, list.path); here.ok()) {
      note(*here);
      return Done{};
    }
    TRY(const auto head, workspace_.repository().Head());
    if (!head) return Done{};
    const auto there = workspace_.At(*head).Parsed(list);
    if (there.ok() && *there) note(**there);
    return Done{};
  }

  /// Repairs the text of the list and its goldens. Returns nullopt if a person has to edit the list
  /// first, in which case the gate reports the reason.
  Result<std::optional<ListRepair>> RepairOne(const list::ListConfig& list) {
    auto read = workspace_.ReadList(list);
    // Leave a missing or unreadable list to the user, because the gate reports it with a fix.
    if (!read.ok() && read.error().exit == Exit::Environment) return read.error();
    if (!read.ok()) return std::optional<ListRepair>();
    std::string text = std::move(*read);
    TRY(NoteNumbers(list, text));
    const bool clash = HasNameClash(list, text);
    TRY(const bool blocked, clash ? Result<bool>(true) : KeepFormerNames(list, text));
    if (blocked) {
      TRY(const auto parsed, list::Parse(text, list, list.path));
      TRY(RepairGoldensOf(list, &parsed));
      return std::optional<ListRepair>();
    }
    std::optional<ListRepair> repair;
    if (list::ConflictMarkerLine(text) != 0 || list::Parse(text, list, list.path).ok()) {
      TRY(repair, ListRepair::Of(workspace_, list));
    }
    TRY(const bool needed, repair ? repair->IsNeeded(text) : Result<bool>(false));
    bool conflict = false;
    if (needed) {
      TRY(auto repaired, repair->Repair(text));
      list::MergeOutput& merged = repaired.merged;
      TRY(changes_.WriteList(list, merged.text));
      const bool changed = merged.text != text;
      text = std::move(merged.text);
      conflict = merged.conflict;
      if (changed && merged.messages.empty()) report_.done.push_back(list.path + ": repaired");
      for (std::string& message : merged.messages) report_.done.push_back(std::move(message));
      if (repaired.unmerged && !conflict) report_.to_add.push_back(workspace_.GitPath(list.path));
      if (conflict)
        Leave({.rule = RuleId::ConflictMarkers,
               .message = "the two sides contradict each other, so revctl cannot merge them",
               .file = workspace_.GitPath(list.path),
               .line = list::ConflictMarkerLine(text),
               .fix = "resolve the remaining conflict markers, then run revctl fix"});
    }
    const auto here = list::Parse(text, list, list.path);
    TRY(RepairGoldensOf(list, here.ok() ? &*here : nullptr));
    if (!here.ok() || conflict) repair.reset();
    return repair;
  }

  /// If landed revisions were renamed and the code uses each new name exactly where it used the old
  /// one, restores the old names and keeps the new names as aliases. Returns true if there is any
  /// other rename, which needs a person's decision.
  Result<bool> KeepFormerNames(const list::ListConfig& list, std::string& text) {
    TRY(const auto snapshot, workspace_.OpenLedger().Cached());
    std::optional<base::Error> unknown;
    const GateRequest request = RequestOf(list.name, snapshot, unknown);
    // In a shallow clone, the start of the branch is unknown, so restore nothing.
    const auto change = ReadChange(request);
    const auto facts =
        change.ok() && change->ours ? ReadLists(*change) : Result<std::vector<ListFacts>>(Error{});
    if (!facts.ok()) return false;
    bool undecided = false;
    for (const ListFacts& one : *facts) {
      for (const auto& [name, former] : one.renames.names) {
        if (!one.renames.moved_in_code.contains(name)) {
          undecided = true;
          continue;
        }
        TRY(const auto parsed, list::Parse(text, list, list.path));
        TRY(text, list::KeepFormerName(parsed, list, name, former));
        report_.done.push_back(fmt::format("{}: restored the name {}, and made {} an alias for it",
                                           list.path, former, name));
      }
    }
    TRY(changes_.WriteList(list, text));
    return undecided;
  }

  Result<Done> RepairGoldensOf(const list::ListConfig& list, const list::RevisionList* here) {
    TRY(auto goldens, RepairGoldens(workspace_, list, here, changes_.dry_run()));
    AddGoldens(list, std::move(goldens.repaired), "resolved");
    if (!goldens.left.empty())
      Leave({.rule = RuleId::ConflictMarkers,
             .message = fmt::format("both sides changed {}; resolve the conflict by hand",
                                    SomeOf(goldens.left)),
             .file = goldens.left.front(),
             .fix = "for each record, keep one side with its payloads: git checkout --ours (or "
                    "--theirs) -- FILES, then git add FILES"});
    if (here == nullptr) return Done{};
    TRY(auto restored, RestoreLandedGoldens(workspace_, list, *here, changes_.dry_run()));
    AddGoldens(list, std::move(restored), "restored");
    return Done{};
  }

  void AddGoldens(const list::ListConfig& list, std::vector<FileChange> files,
                  std::string_view what) {
    if (files.empty()) return;
    std::vector<std::string> paths;
    for (FileChange& file : files) {
      paths.push_back(file.path);
      changes_.Add(std::move(file));
    }
    const std::string folder = workspace_.GitPath(list.golden);
    report_.done.push_back(fmt::format("{}: {} {}", folder, what, SomeOf(paths)));
    if (std::find(report_.to_add.begin(), report_.to_add.end(), folder) == report_.to_add.end())
      report_.to_add.push_back(folder);
  }

  /// True if the target has switched to numbers at landing since this branch was created, in which
  /// case this branch must not reserve numbers.
  Result<bool> TurnedToLanding(const list::ListConfig& list,
                               const std::optional<git::Oid>& target) const {
    const git::Repository& repository = workspace_.repository();
    const auto at_landing = [&](const git::Oid& commit) {
      const auto config = workspace_.At(commit).Config();
      const list::ListConfig* there =
          config.ok() && *config ? (**config).ListNamed(list.name) : nullptr;
      return there != nullptr && AtLanding(*there);
    };
    TRY(const auto head, repository.Head());
    if (!target || !head || !at_landing(*target)) return false;
    const auto base = repository.MergeBase(*head, *target);
    return base.ok() && *base && !at_landing(**base);
  }

  /// Assigns numbers to pending revisions so that they can land. If the server is unreachable,
  /// keeps the current numbers if all of them could land as of the last fetch, and fails otherwise.
  Result<Done> GiveNumbers(const list::ListConfig& list, const ledger::Snapshot& snapshot) {
    TRY(const auto view, ReadListView(workspace_, list, snapshot));
    if (view.numbering().Pending().empty() && request_.last.empty()) return Done{};
    RenumberRequest request{.names = request_.last, .dry_run = changes_.dry_run()};
    TRY(auto before, workspace_.ReadList(list));
    auto renumbered = RenumberList(workspace_, list, request, listener_);
    if (!renumbered.ok() && renumbered.error().exit == Exit::Environment) {
      const auto seen = RenumberList(
          workspace_, list, {.names = request_.last, .dry_run = true, .offline = true}, listener_);
      if (!seen.ok() || !seen->moves.empty() || !seen->text.empty()) return renumbered.error();
      listener_.Note(fmt::format("revctl: {}\nusing the numbers from the last fetch",
                                 renumbered.error().message));
      return Done{};
    }
    if (!renumbered.ok()) return renumbered.error();
    asked_ledger_ = true;
    if (changes_.dry_run() && !renumbered->text.empty()) {
      TRY(changes_.WriteList(list, renumbered->text));
    } else {
      TRY(auto after, workspace_.ReadList(list));
      if (before != after)
        changes_.Add({workspace_.GitPath(list.path), std::move(before), std::move(after)});
    }
    // Report each move relative to the number before the first repair, because an earlier repair
    // may already have moved the revision.
    for (NumberMove& move : renumbered->moves) {
      const auto before_repair = numbers_[list.name].find(move.name);
      if (before_repair != numbers_[list.name].end()) move.from = before_repair->second;
    }
    std::erase_if(renumbered->moves, [](const NumberMove& move) {
      return move.from == move.to && !move.changes_ledger;
    });
    for (std::string& line : MoveLines(*renumbered)) report_.done.push_back(std::move(line));
    if (report_.done.empty() && renumbered->moves.empty() && !renumbered->text.empty())
      report_.done.push_back(list.path + ": sorted the lines by number");
    if (!renumbered->moves.empty())
      report_.renumbered.push_back({list.name, std::move(renumbered->moves)});
    return Done{};
  }

  /// Returns the request for checking the work tree. If the target is unknown, sets `unknown` to
  /// the reason.
  GateRequest RequestOf(const std::string& only_list, const ledger::Snapshot& snapshot,
                        std::optional<base::Error>& unknown) const {
    GateRequest request(workspace_.Here());
    auto found = FindTarget(workspace_, request.tree, cli::Arguments(), false);
    if (found.ok()) {
      request.target = found->target;
      request.release_of = found->release_of;
      if (request.release_of) request.mode = Mode::Release;
    } else {
      // There is no target before the first push, so compare with nothing.
      unknown = std::move(found.error());
    }
    request.ledger = {&snapshot, asked_ledger_ || workspace_.remote().empty(),
                      asked_ledger_ ? "" : LedgerCopyDate(workspace_, snapshot)};
    request.only_list = only_list;
    return request;
  }

  /// Runs the gate on the current work tree, and adds its errors to the report.
  Result<Done> CheckResult() {
    TRY(const auto snapshot, workspace_.OpenLedger().Cached());
    std::optional<base::Error> unknown;
    const GateRequest request = RequestOf(request_.only_list, snapshot, unknown);
    if (unknown) listener_.Note(fmt::format("revctl: {}", ErrorText(*unknown)));
    else report_.compared_with = request.target.Text();
    TRY(auto found, RunGate(request));
    for (Finding& finding : found) {
      const bool known = std::any_of(report_.left.begin(), report_.left.end(), [&](const auto& f) {
        return f.rule == finding.rule && f.file == finding.file;
      });
      if (finding.severity == Severity::Error && !known) Leave(std::move(finding));
    }
    // If a person has to decide something, report only those findings, because running `fix` again
    // will repair the rest.
    const auto is_mechanical = [](const Finding& f) { return findings::IsMechanical(f.fix.kind); };
    if (!std::all_of(report_.left.begin(), report_.left.end(), is_mechanical))
      std::erase_if(report_.left, is_mechanical);
    // Do not suggest `revctl fix` for the remaining findings, because this run could not repair
    // them.
    for (Finding& finding : report_.left) {
      if (is_mechanical(finding))
        finding.fix = fmt::format(
            "edit the list by hand, because `revctl fix` cannot fix this; for the rule, see revctl "
            "explain {}",
            findings::NameOf(finding.rule));
    }
    return Done{};
  }

  void Leave(Finding finding) { report_.left.push_back(std::move(finding)); }

  ChangeSet& changes_;
  Workspace& workspace_;
  const FixRequest& request_;
  const base::Listener& listener_;
  FixReport report_;
  std::map<std::string, std::map<std::string, std::int64_t>>
      numbers_;  ///< numbers before the first repair, by list and revision
  bool asked_ledger_ = false;
};

}  // namespace

FixReport FixLists(ChangeSet& changes, const FixRequest& request, const base::Listener& listener) {
  FixRun run(changes, request, listener);
  if (auto ran = run.Run(); !ran.ok()) run.report().stopped = ran.error();
  return std::move(run.report());
}

}  // namespace revctl::commands
