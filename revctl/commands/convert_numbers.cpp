// convert-numbers: when a list's revisions get their numbers.
#include "revctl/commands/convert_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/commands/command.h"
#include "revctl/commands/installation.h"
#include "revctl/commands/pending_view.h"
#include "revctl/commands/pending_write.h"
#include "revctl/commands/sync.h"
#include "revctl/commands/views.h"
#include "revctl/config/edit_config.h"
#include "revctl/config/files.h"
#include "revctl/findings/printable.h"
#include "revctl/pending/block.h"
#include "revctl/pending/folder.h"
#include "revctl/pending/paths.h"

namespace revctl::commands {
namespace {

std::string ConfigPath(const Workspace& workspace) {
  return workspace.root() + "/" + std::string(config::kFileName);
}

/// The include file in the .gitignore beside it. True where a line was added.
Result<bool> Ignore(const Workspace& workspace, const list::ListConfig& list) {
  const std::string include = pending::IncludePath(list);
  const std::size_t slash = include.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : include.substr(0, slash + 1);
  const std::string path = folder + ".gitignore", line = "/" + include.substr(folder.size());
  TRY(config::RefuseLink(workspace.FilePath(path), path));
  TRY(auto text, config::ReadFile(workspace.FilePath(path), config::kMaxConfigBytes));
  std::string lines = text.value_or("");
  if (("\n" + lines + "\n").find("\n" + line + "\n") != std::string::npos) return false;
  if (!lines.empty() && !lines.ends_with('\n')) lines += '\n';
  TRY(config::ReplaceFile(workspace.FilePath(path), lines + line + "\n"));
  return true;
}

/// Edits `.revctl.yaml`, keeping comments and order.
Result<Done> SetNumbers(const Workspace& workspace, const list::ListConfig& list,
                        const std::string& numbers, std::optional<std::int64_t> floor) {
  TRY(auto text, config::ReadFile(ConfigPath(workspace), config::kMaxConfigBytes));
  auto edited = config::SetListKey(text.value_or(""), list.name, "numbers", numbers);
  if (!edited.ok()) return edited.error();
  if (floor) {
    edited = config::SetListKey(*edited, list.name, "floor", std::to_string(*floor));
    if (!edited.ok()) return edited.error();
  }
  // Older versions would give numbers at once.
  edited = config::SetMinRevctl(*edited, REVCTL_VERSION);
  if (!edited.ok()) return edited.error();
  return config::ReplaceFile(ConfigPath(workspace), *edited);
}

Result<Done> NothingPending(const Workspace& workspace, const list::ListConfig& list,
                            const ListView& view) {
  const auto pending = view.numbering().Pending();
  if (pending.empty()) return Done{};
  const std::string more =
      pending.size() > 1 ? fmt::format(", and {} more", pending.size() - 1) : "";
  return Error{
      Exit::Findings,
      fmt::format(
          "{} is pending here{}: a list is turned around on the target, between two landings",
          pending.front()->name, more),
      AtLanding(list) ? "revctl fold"
                      : "git switch -c numbers " + base::ShellWord(workspace.TargetLabel())};
}

Result<std::vector<std::string>> ToAtReserve(const Workspace& workspace,
                                             const list::ListConfig& list) {
  TRY(auto here, ReadPending(workspace, list));
  if (!here.files.empty())
    return Error{
        Exit::Findings,
        fmt::format("{}/{} is pending", pending::Folder(list), here.files.front().file_name),
        fmt::format("revctl fold on {} first", workspace.config().target)};
  std::vector<std::string> done;
  TRY(auto text, pending::WithoutBlock(here.list, list));
  TRY(SetNumbers(workspace, list, "at-reserve", std::nullopt));
  done.emplace_back(".revctl.yaml: numbers: at-reserve");
  if (text != here.list.text) {
    TRY(workspace.WriteList(list, text));
    done.push_back(list.path + ": includes no pending revisions any more");
  }
  std::error_code error;
  const std::string folder = pending::Folder(list);
  std::filesystem::remove(workspace.FilePath(folder + "/" + std::string(pending::kKeepName)),
                          error);
  std::filesystem::remove(workspace.FilePath(folder), error);
  return done;
}

Outcome RunConvertNumbers(const Arguments& arguments, Session& session) {
  const std::string how = arguments.Value("HOW");
  if (how != "at-reserve" && how != "at-landing")
    return Error{Exit::Usage, findings::Quoted(how) + ": at-reserve or at-landing",
                 "revctl convert-numbers at-landing"};
  TRY(auto workspace, Workspace::Open(session));
  TRY(auto found, workspace.OneList(session));
  const list::ListConfig& list = *found;
  TRY(const auto lock, workspace.LockLists(session));
  auto ledger = workspace.OpenLedger(session);
  TRY(auto snapshot, arguments.Has("--offline") || AtLanding(list)
                         ? workspace.LastSeen(ledger, session)
                         : workspace.Fetched(ledger, session, true));
  TRY(const auto release, FindReleaseHere(workspace.Releases(snapshot.target)));
  if (release)
    return Error{Exit::Findings,
                 fmt::format("this branch is for {}, and a list is turned around on {}",
                             release->branch, workspace.TargetLabel()),
                 fmt::format("git switch -c numbers {} && revctl convert-numbers {}",
                             base::ShellWord(workspace.TargetLabel()), how)};
  TRY(auto view, LookAt(workspace, list, snapshot));
  // To mend the lines that include them, what is pending may stay. A list that the target does not
  // have begins with all of its revisions.
  if (view.landed && (how == "at-reserve" || !AtLanding(list)))
    TRY(NothingPending(workspace, list, view));
  if (how == "at-reserve" && !AtLanding(list)) {
    session.Message(list.path + ": gives its numbers at reserve already");
    return Exit::Fine;
  }
  std::optional<std::int64_t> floor = list.floor;
  if (const auto known = snapshot.state.lists.find(list.name);
      known != snapshot.state.lists.end() && known->second.high_water)
    floor = std::max(floor.value_or(*known->second.high_water), *known->second.high_water);
  auto done =
      how == "at-landing" ? ToAtLanding(workspace, list, floor) : ToAtReserve(workspace, list);
  if (!done.ok()) return done.error();
  // The hooks that the new way needs, and no longer those that it does not.
  TRY(auto again, Workspace::Open(session));
  TRY(auto installed, Installation(again, session.program).InstallHooksAlone());
  done->insert(done->end(), installed.begin(), installed.end());
  for (const std::string& line : *done) {
    if (!session.quiet) session.Out(line + "\n");
  }
  if (done->empty()) session.Message(list.path + ": is so already");
  else
    session.Message("commit and land that by itself; then on open branches: revctl sync --adopt");
  return Exit::Fine;
}

}  // namespace

Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                             const list::ListConfig& list,
                                             std::optional<std::int64_t> floor) {
  std::vector<std::string> done;
  list::ListConfig then = list;
  then.numbers = list::Numbers::AtLanding;
  TRY(auto parsed, workspace.ParseListAlone(list));
  TRY(auto text, pending::WithBlock(parsed, then));
  if (text != parsed.text) {
    TRY(workspace.WriteList(list, text));
    done.push_back(list.path + ": includes its pending revisions");
  }
  TRY(MakePendingFolder(workspace, then));
  TRY(auto ignored, Ignore(workspace, then));
  if (ignored) done.push_back(pending::IncludePath(then) + ": ignored by git");
  if (!AtLanding(list)) {
    const list::Entry* latest = parsed.Latest();
    if (floor && latest != nullptr && *floor <= latest->number) floor.reset();
    TRY(SetNumbers(workspace, list, "at-landing", floor));
    done.push_back(".revctl.yaml: numbers: at-landing" +
                   (floor ? fmt::format(", floor: {}", *floor) : ""));
  }
  then.floor = floor;
  TRY(WriteInclude(workspace.root(), then));
  return done;
}

Command ConvertNumbersCommand() {
  return {
      {"convert-numbers",
       "turn a list around: numbers at-reserve or at-landing",
       "at-landing: pending revisions are files, and `fold` numbers them on the target; no branch "
       "touches\n"
       "the list. at-reserve: a number at once, from the ledger. Run it on the target's list, and "
       "land it\n"
       "by itself; open branches follow by `revctl sync --adopt`.",
       "$ revctl convert-numbers at-landing",
       {{"HOW", "at-reserve or at-landing", Positional::Count::One, Hint::None}},
       {{"--offline", "", "take the ledger's mark from what the last fetch saw", Hint::None}},
       false,
       {},
       true},
      RunConvertNumbers};
}

}  // namespace revctl::commands
