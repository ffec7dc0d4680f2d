// Implements `status --branches`: prints the open branches whose pending numbers can no longer
// land. Such a branch needs no repair now, because `revctl fix` moves its numbers when it lands.
#include <fmt/core.h>
#include <map>

#include "revctl/commands/table.h"
#include "revctl/git/remote.h"
#include "revctl/session/progress_line.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// The lists at fork points, cached because many branches share a fork point.
using ForkLists = std::map<git::Oid, std::optional<list::RevisionList>>;

/// Returns the list at the commit where the branch at `tip` left the target, that is, the revisions
/// that the branch did not add. Returns null if there is no common commit or the list there is
/// unreadable.
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

}  // namespace

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
      TRY(auto parsed, workspace.At(*snapshot.target).Parsed(*config));
      landed = std::move(parsed);
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

}  // namespace revctl::commands
