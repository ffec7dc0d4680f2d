#include <fmt/core.h>
#include <map>

#include "revctl/commands/table.h"
#include "revctl/git/remote.h"
#include "revctl/goldens/stale_goldens.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

/// A revision in the output of `status`. `note` explains a problem, such as why it cannot land.
struct Line {
  std::string name, state, note;
  std::int64_t number = 0;
  bool can_land = true;
};

/// Returns a line for each pending revision, and for each reservation of `me` that is missing from
/// the list. `copy_of` is the date of this clone's copy of the ledger, or empty if the ledger was
/// read from the server.
std::vector<Line> Lines(const Workspace& workspace, const ListView& view, const git::Person& me,
                        const std::string& copy_of) {
  std::vector<Line> out;
  const Numbering numbering = view.numbering();
  const auto pending = numbering.Pending();
  for (const list::Entry* entry : pending) {
    Line line{entry->name, std::string(view.StateOf(*entry)), "", entry->number, true};
    const ledger::Reservation* held = view.ledger.Find(entry->name);
    const std::string fix = "revctl fix";
    // Compare only the numbers of list entries. The number of a pending file does not matter,
    // because a fold will assign it.
    if (numbering.LastLanded() && entry->number <= *numbering.LastLanded() &&
        entry->pending_file.empty()) {
      line.can_land = false;
      line.note = fmt::format("cannot land: {} is at {}; {}", workspace.TargetLabel(),
                              *numbering.LastLanded(), fix);
    } else if (line.state == "provisional") {
      line.can_land = !workspace.config().reservation_required && held == nullptr;
      if (held != nullptr)
        line.note = fmt::format("the ledger assigned number {} to it; {}", held->number, fix);
      else if (copy_of.empty()) line.note = "not in the ledger; " + fix;
      else
        line.note = fmt::format(
            "not in this clone's copy of the ledger from {} (update it with revctl status "
            "--fetch); {}",
            copy_of, fix);
    } else {
      line.note = "can land";
      if (!entry->pending_file.empty())
        line.note +=
            fmt::format("; a fold on {} will assign the number", workspace.config().target);
    }
    if (held != nullptr && !ledger::SamePerson(held->who, me))
      line.note += fmt::format(" (held by {})", held->who.Text());
    out.push_back(std::move(line));
  }
  for (const ledger::Reservation& reservation : view.ledger.open) {
    if (!ledger::SamePerson(reservation.who, me) || view.working.Find(reservation.name) != nullptr)
      continue;
    out.push_back(
        {reservation.name, "reserved",
         fmt::format("yours, but not in this list; it may be on another branch. To give it up: {} "
                     "{}",
                     CommandFor(workspace, *view.config, "abandon"), reservation.name),
         reservation.number, true});
  }
  return out;
}

/// Prints the RV028 findings that the gate would report about stale goldens.
base::Result<base::Done> TellOfStale(const Workspace& workspace, const ListView& view,
                                     const std::optional<git::Oid>& target,
                                     std::vector<Line>& lines) {
  TRY(auto stale, StaleGoldens(workspace, view, target));
  for (const StaleGolden& golden : stale) {
    for (Line& line : lines) {
      if (line.name != golden.revision) continue;
      line.note = (line.can_land ? "cannot land: " : line.note + "; ") + golden.message + "; " +
                  RefreshCommand(workspace.config(), view.config->golden);
      line.can_land = false;
    }
  }
  return base::Done{};
}

/// The lists at fork points, cached because many branches share a fork point.
using ForkLists = std::map<git::Oid, std::optional<list::RevisionList>>;

/// Returns the list at the commit where the branch at `tip` left the target, that is, the revisions
/// that the branch did not add. Returns null if branch and target have no common commit, or if the
/// list at that commit is unreadable.
base::Result<const list::RevisionList*> AtFork(const Workspace& workspace,
                                               const list::ListConfig& config,
                                               const git::Oid& target, const git::Oid& tip,
                                               ForkLists& known) {
  TRY(auto base, workspace.repository().MergeBase(target, tip));
  if (!base) return static_cast<const list::RevisionList*>(nullptr);
  auto found = known.find(*base);
  if (found == known.end()) {
    auto list = workspace.At(*base).Parsed(config);
    found = known.emplace(*base, list.ok() ? std::move(*list) : std::nullopt).first;
  }
  return found->second ? &*found->second : nullptr;
}

/// Implements `status --branches`: prints the open branches whose revisions can no longer land with
/// their present numbers. They need no fix yet: `revctl fix` renumbers a branch when it lands.
Outcome ShowBranches(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto lists, workspace.Lists(session.list));
  git::Repository& repository = workspace.repository();
  if (arguments.Has("--fetch") && !workspace.remote().empty()) {
    if (const auto& missing = workspace.remote_missing()) return *missing;
    TRY(const auto fetched, git::FetchBranches(repository, workspace.remote()));
    if (!fetched.ok) return git::Unreachable(workspace.remote(), fetched.talk);
  }
  TRY(auto snapshot, workspace.LastSeen(ListenerOf(session)));
  const std::string prefix =
      workspace.remote().empty() ? "refs/heads/" : "refs/remotes/" + workspace.remote() + "/";
  TRY(auto branches, repository.Refs(prefix));
  Json::List items;
  std::string text;
  for (const auto* config : lists) {
    std::optional<list::RevisionList> landed;
    if (snapshot.target) {
      TRY(landed, workspace.At(*snapshot.target).Parsed(*config));
    }
    ForkLists forks;
    const list::Names purged = PurgedNames(workspace, *config, snapshot.target);
    for (const auto& [ref, tip] : branches) {
      const std::string branch = ref.substr(prefix.size());
      if (branch == workspace.config().target || branch == "HEAD" ||
          workspace.config().IsRelease(branch))
        continue;
      auto list = workspace.At(tip).Parsed(*config);
      if (!list.ok()) {
        text += fmt::format("{}: {}\n", branch, ErrorText(list.error()));
        continue;
      }
      if (!*list) continue;
      const Numbering numbering{landed ? &*landed : nullptr, &**list, {}, &purged};
      std::vector<const list::Entry*> late = numbering.Pending();
      std::erase_if(late, [&](const list::Entry* entry) {
        return !numbering.LastLanded() || entry->number > *numbering.LastLanded();
      });
      if (late.empty()) continue;
      TRY(auto fork, AtFork(workspace, *config, *snapshot.target, tip, forks));
      for (const list::Entry* entry : late) {
        if (fork != nullptr && fork->Find(entry->name) != nullptr) continue;
        TRY(auto commit, repository.ReadCommit(tip));
        text +=
            fmt::format("{}: {} = {} can no longer land ({} is at {}); last worked on by {}, {}\n",
                        branch, entry->name, entry->number, workspace.TargetLabel(),
                        *numbering.LastLanded(), commit.author.Text(), DateText(commit.time));
        items.push_back(Json::Object()
                            .Set("list", config->name)
                            .Set("branch", branch)
                            .Set("name", entry->name)
                            .Set("number", entry->number)
                            .Set("author", commit.author.Text())
                            .Set("time", commit.time));
      }
    }
  }
  if (session.json())
    session.OutJson(Json::Object().Set("version", 1).Set("branches", std::move(items)));
  else session.Out(text);
  if (text.empty()) session.Message("all pending numbers on open branches can still land");
  return Exit::Fine;
}

Outcome RunStatus(const Arguments& arguments, Session& session) {
  if (arguments.Has("--branches")) return ShowBranches(arguments, session);
  TRY(auto workspace, Workspace::Open(session.directory));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(auto lists, workspace.Lists(session.list));
  TRY(auto me, workspace.repository().Identity());
  TRY(auto snapshot, arguments.Has("--fetch")
                         ? workspace.Fetched(ListenerOf(session), !workspace.NeedsLedger())
                         : workspace.LastSeen(ListenerOf(session)));
  TRY(const auto release, FindReleaseHere(workspace.Releases(snapshot.target)));
  TRY(const auto old_commit, OldCommitWarning(workspace, snapshot.target));
  if (!old_commit.empty()) session.Message(old_commit);
  const std::string copy_of = arguments.Has("--fetch") ? "" : LedgerCopyDate(workspace, snapshot);
  Json::List items;
  std::string text;
  for (const list::ListConfig* config : lists) {
    TRY(auto view, ReadListView(workspace, *config, snapshot));
    TRY(const bool stale, IncludeIsStale(workspace.root(), *config));
    if (stale)
      session.Message(fmt::format("{}: {}; fix: revctl fix",
                                  workspace.GitPath(pending::IncludePath(*config)), kStaleInclude));
    if (lists.size() > 1) text += config->path + "\n";
    std::vector<Line> lines = Lines(workspace, view, me, copy_of);
    if (!release.has_value()) {
      TRY(TellOfStale(workspace, view, snapshot.target, lines));
    }
    for (const Line& line : lines) {
      text += fmt::format("{} = {}  {}: {}\n", line.name, line.number, line.state, line.note);
      items.push_back(Json::Object()
                          .Set("list", config->name)
                          .Set("name", line.name)
                          .Set("number", line.number)
                          .Set("state", line.state)
                          .Set("can_land", line.can_land)
                          .Set("note", line.note));
    }
    if (release.has_value())
      text += fmt::format(
          "{} belongs to release {}, which adds no revisions; revctl check compares it with {}\n",
          config->path, release->label, workspace.TargetLabel());
    else if (lines.empty())
      text += fmt::format("nothing pending: {} is the same as on {}\n", config->path,
                          workspace.TargetLabel());
  }
  if (session.json())
    session.OutJson(Json::Object().Set("version", 1).Set("pending", std::move(items)));
  else session.Out(text);
  return Exit::Fine;
}

}  // namespace

Command StatusCommand() {
  return {{"status",
           "show pending revisions, and whether they can land",
           "Compares the list with the target and the ledger as of the last fetch.",
           "$ revctl status --fetch\nSR_BOSS_PHASE = 667  pending: can land",
           {},
           {{"--fetch", "", "fetch from the server first"},
            {"--branches", "", "list open branches with numbers that can no longer land"}}},
          RunStatus};
}

}  // namespace revctl::commands
