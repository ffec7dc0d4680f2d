#include <fmt/core.h>

#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/config/config.h"
#include "revctl/findings/printable.h"
#include "revctl/git/settings.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

struct Check {
  std::string what;
  bool fine = true;
  std::string note, fix;  ///< if `fine` is true, `fix` is only a suggestion
};

/// The oldest git version that supports merge-file --marker-size, fetch --no-write-fetch-head, and
/// push leases for new refs.
constexpr std::pair kOldestGit = {2, 30};

/// Returns a passed check with `note` if `result` is ok, otherwise a failed check with its error.
template <class T>
Check CheckOf(std::string what, const Result<T>& result, std::string note) {
  if (result.ok()) return {std::move(what), true, std::move(note), ""};
  return {std::move(what), false, ErrorText(result.error()), result.error().fix};
}

Check GitVersion() {
  const auto version = git::InstalledVersion();
  if (!version.ok()) return CheckOf("git", version, "");
  const bool old = *version < kOldestGit;
  return {"git", !old, fmt::format("{}.{}", version->first, version->second),
          old ? "install git 2.30 or newer" : ""};
}

void ExamineConfig(const Workspace& workspace, std::vector<Check>& out) {
  for (const auto& config : workspace.config().lists) {
    const auto list = workspace.ParseWorking(config);
    out.push_back(CheckOf(
        "list " + config.name, list,
        list.ok() ? fmt::format("{}, {} revisions", config.path, list->Revisions().size()) : ""));
  }
  if (const auto missing = FindMissingGoldens(workspace.config()))
    out.push_back({"goldens", !missing->is_mistake, missing->text, kNameGoldenFolder});
  if (LandsWithoutSaveTests(workspace.config()))
    out.push_back({"land", true, kLandsWithoutSaveTests, kNameVerifyCommand});
}

void ExamineClone(const Workspace& workspace, const Session& session, std::vector<Check>& out) {
  const auto parts = Installation(workspace, session.program).Look();
  if (!parts.ok()) {
    out.push_back(CheckOf("installation", parts, ""));
  } else {
    for (const Part& part : *parts) {
      out.push_back({part.what, part.present,
                     part.note.empty() ? part.present ? "set up" : "missing" : part.note,
                     part.present       ? ""
                     : part.fix.empty() ? "revctl install"
                                        : part.fix});
    }
  }
  const auto shallow = workspace.repository().IsShallow();
  const bool is_shallow = shallow.ok() && *shallow;
  out.push_back({"history", !is_shallow,
                 is_shallow ? "shallow clone: merge bases may be missing" : "complete",
                 is_shallow ? "git fetch --unshallow" : ""});
}

void ExamineLedger(const Workspace& workspace, const ledger::Snapshot& snapshot,
                   std::vector<Check>& out) {
  const bool alone = workspace.remote().empty();
  const std::string where =
      alone ? "no remote: the ledger is local" : "remote " + workspace.remote();
  // A ledger is needed only if it assigns the numbers of at least one list. Lists with numbers at
  // landing do not use it.
  const auto& lists = workspace.config().lists;
  const bool needed = std::any_of(lists.begin(), lists.end(), [](const auto& list) {
    return list.numbers == list::Numbers::AtReserve;
  });
  const auto unmoved = workspace.OpenLedger().HasUnmovedNumbers();
  if (unmoved.ok() && *unmoved)
    out.push_back(
        {"ledger", false,
         fmt::format("its numbers are only in this clone, not on {}, so teammates could be "
                     "assigned the same numbers",
                     workspace.remote()),
         "revctl doctor --repair-ledger"});
  else if (!snapshot.skipped.empty())
    out.push_back({"ledger", false, snapshot.skipped, "revctl doctor --repair-ledger"});
  else if (snapshot.tip)
    out.push_back(
        {"ledger", true,
         fmt::format("{}, {} at {}", where, workspace.config().ledger, snapshot.tip->substr(0, 10)),
         ""});
  else if (needed)
    out.push_back({"ledger", false,
                   alone ? "no remote, and no ledger in this clone" : where + " has no ledger yet",
                   "the first revctl reserve creates it"});
  // Push access matters only if the config requires reservations.
  if (!alone && needed && workspace.config().reservation_required)
    out.push_back(
        CheckOf("push access to the ledger", workspace.OpenLedger().Probe(snapshot), "allowed"));
}

Check ExamineTarget(const Workspace& workspace, const ledger::Snapshot& snapshot) {
  const std::string label = workspace.TargetLabel();
  if (snapshot.target)
    return {"target", true, fmt::format("{} at {}", label, snapshot.target->substr(0, 10)), ""};
  const bool alone = workspace.remote().empty();
  const auto head = workspace.repository().Head();
  const bool needs_commit = head.ok() && !*head;
  const std::string& target = workspace.config().target;
  const std::string push = alone
                               ? "git branch " + base::ShellWord(target)
                               : fmt::format("git push {} {}", base::ShellWord(workspace.remote()),
                                             base::ShellWord("HEAD:" + target));
  // If there is no remote, the missing target is usually the current branch, and the first commit
  // creates it.
  const std::string fix = !needs_commit ? push : alone ? "git commit" : "git commit, then " + push;
  return {"target", false, label + " does not exist yet", fix};
}

std::vector<Check> Examine(const Workspace& workspace, Session& session) {
  std::vector<Check> out = {GitVersion()};
  const auto who = workspace.repository().Identity();
  out.push_back(CheckOf("identity", who, who.ok() ? who->Text() : ""));
  ExamineConfig(workspace, out);
  ExamineClone(workspace, session, out);
  const auto snapshot = workspace.Fetched(ListenerOf(session));
  if (!snapshot.ok()) {
    out.push_back(CheckOf("ledger", snapshot, ""));
    return out;
  }
  ExamineLedger(workspace, *snapshot, out);
  out.push_back(ExamineTarget(workspace, *snapshot));
  return out;
}

/// Returns the highest number of each list on any branch of this clone, so that the repaired ledger
/// does not assign these numbers again.
Result<ledger::State> NumbersOnBranches(const Workspace& workspace) {
  ledger::State out;
  for (const char* prefix : {"refs/heads/", "refs/remotes/"}) {
    TRY(auto branches, workspace.repository().Refs(prefix));
    for (const auto& [ref, tip] : branches) {
      for (const auto& config : workspace.config().lists) {
        auto list = workspace.At(tip).Parsed(config);
        // Skip unreadable lists, because the branch may be years old.
        if (!list.ok() || !*list || (*list)->Latest() == nullptr) continue;
        auto& mark = out.lists[config.name].high_water;
        mark = std::max(mark.value_or((*list)->Latest()->number), (*list)->Latest()->number);
      }
    }
  }
  return out;
}

/// Fails if the target's `.revctl.yaml` names a different ledger, because the repair would replace
/// the team's ledger with a new one.
Result<Done> RequireTeamsLedger(const Workspace& workspace) {
  TRY(const auto tip, workspace.repository().Resolve(workspace.OpenLedger().TargetRef()));
  if (!tip) return Done{};
  const auto there = workspace.At(*tip).Config();
  if (!there.ok() || !*there || (*there)->ledger_id.empty() ||
      (*there)->ledger_id == workspace.config().ledger_id)
    return Done{};
  return Error{
      Exit::Findings,
      fmt::format(
          "{}: `ledger_id` is {} here but {} on {}, so a repair would replace the team's ledger",
          config::kFileName, findings::Quoted(workspace.config().ledger_id),
          findings::Quoted((*there)->ledger_id), workspace.TargetLabel()),
      fmt::format("git checkout {} -- {}", base::ShellWord(workspace.TargetLabel()),
                  base::ShellPath(workspace.GitPath(std::string(config::kFileName))))};
}

Outcome RunDoctor(const Arguments& arguments, Session& session) {
  auto workspace = arguments.Has("--repair-ledger") ? Workspace::OpenAnyway(session.directory)
                                                    : Workspace::Open(session.directory);
  if (!workspace.ok()) return workspace.error();
  if (arguments.Has("--repair-ledger")) {
    TRY(RequireTeamsLedger(*workspace));
    ledger::Ledger ledger = workspace->OpenLedger();
    // MoveToRemote fails if the remote's ledger is damaged. In that case, repair it from the local
    // copy.
    const auto moved = ledger.MoveToRemote();
    if (moved.ok() && !moved->empty()) {
      session.Out(*moved + "\n");
      return Exit::Fine;
    }
    TRY(const auto known, NumbersOnBranches(*workspace));
    TRY(const auto repaired, ledger.Repair(known, arguments.Has("--yes")));
    session.Out(repaired + "\n");
    return Exit::Fine;
  }
  const std::vector<Check> checks = Examine(*workspace, session);
  const bool fine =
      std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.fine; });
  Json::List items;
  std::string text;
  for (const Check& check : checks) {
    const std::string_view state = !check.fine ? "missing" : check.fix.empty() ? "ok" : "note";
    text += fmt::format("{:<9}{}: {}\n", state, check.what, check.note);
    if (!check.fix.empty()) text += fmt::format("         fix: {}\n", check.fix);
    items.push_back(Json::Object()
                        .Set("what", check.what)
                        .Set("ok", check.fine)
                        .Set("note", check.note)
                        .Set("fix", check.fix));
  }
  if (session.json())
    session.OutJson(
        Json::Object().Set("version", 1).Set("ok", fine).Set("checks", std::move(items)));
  else session.Out(text);
  return fine ? Exit::Fine : Exit::Findings;
}

}  // namespace

Command DoctorCommand() {
  return {
      {"doctor",
       "check the setup of this clone",
       "Checks git, the list, the merge driver, the hooks, the remote and the ledger, and prints a "
       "fix for\neach problem. To test push access, it pushes a ref next to the ledger and deletes "
       "it again. Exits\nwith 1 if something is missing. --repair-ledger rebuilds a lost, "
       "rewritten or damaged ledger from\nwhat is left of it on the remote, this clone's copy and "
       "the lists on all branches.",
       "$ revctl doctor",
       {},
       {{"--repair-ledger", "", "rebuild a lost or damaged ledger, or move it to the remote"},
        {"--yes", "", "rebuild the ledger from the lists alone, if no clone has a copy of it"}}},
      RunDoctor};
}

}  // namespace revctl::commands
