// Implements `sync`, which updates each list's include file from its pending files. The compiler
// reads pending revisions only from the include file.
#include <fmt/core.h>

#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Deletes pending files that reappeared after their fold. The user has to commit the deletion.
Result<base::Done> RemoveReturned(const std::string& root, const list::ListConfig& list,
                                  const pending::Plan& plan, Session& session) {
  for (const std::string& name : plan.returned) {
    const std::string path = pending::FilePath(list, name);
    if (auto removed = base::RemoveFile(root + "/" + path); !removed)
      return Error{Exit::Environment, path + ": " + removed.error().message,
                   "git rm " + base::ShellPath(path)};
    session.Out(fmt::format("{}: removed, because {} is already in the list; commit the removal\n",
                            path, name));
  }
  return base::Done{};
}

/// Returns the fix for a list that lacks the include lines for its pending revisions.
std::string FixOfBlock(const list::ListConfig& list, bool in_repository) {
  if (in_repository) return "revctl fix";
  std::string lines = pending::BlockText(list);
  lines.pop_back();  // drop the final newline, because the message adds one
  return "add these lines after the last revision:\n" + lines;
}

/// Prints the pending revisions that cannot get a number, and the error in the include lines, if
/// any. Returns the exit status.
Exit Tell(Session& session, const list::ListConfig& list, const Synced& synced,
          bool in_repository = true) {
  for (const std::string& line : BlockedLines(list, synced.plan))
    session.Message("revctl: " + line);
  if (const auto fault = pending::FaultOfBlock(synced.list, list)) {
    const std::string line = fault->line == 0 ? "" : fmt::format(":{}", fault->line);
    session.Message(fmt::format("revctl: {}{}: {}; fix: {}", list.path, line, fault->why,
                                FixOfBlock(list, in_repository)));
    return Exit::Findings;
  }
  return synced.plan.blocked.empty() ? Exit::Fine : Exit::Findings;
}

/// Implements `sync --include` for builds and hooks: updates the include files. Succeeds whenever
/// the files can be written, because revisions without a number must not break a build.
Outcome IncludesOnly(const Arguments& arguments, Session& session) {
  TRY(auto source, FindListSource(arguments, {session.directory, session.list, "revctl sync"}));
  std::vector<list::ListConfig> lists = {source.config};
  if (!arguments.Has("--file") && session.list.empty()) {
    TRY(auto config, ReadConfig(source.root));
    if (config.has_value()) lists = config->lists;
  }
  for (const list::ListConfig& list : lists) {
    if (!AtLanding(list)) continue;
    TRY(auto synced, WriteInclude(source.root, list));
    (void)Tell(session, list, synced);
  }
  return Exit::Fine;
}

/// Updates the include files of the lists, and removes pending files that reappeared after they
/// were folded, for example in a merge.
/// `repository` is null outside a repository; otherwise the fixes use git commands for tracked
/// files.
Outcome SyncLists(const std::string& root, const git::Repository* repository,
                  const std::string& prefix, const std::vector<const list::ListConfig*>& lists,
                  Session& session) {
  Exit exit = Exit::Fine;
  for (const list::ListConfig* list : lists) {
    if (!AtLanding(*list)) continue;
    TRY(auto synced, WriteInclude(root, *list));
    TRY(FixUntracked(repository, prefix, *list, synced.plan));
    TRY(RemoveReturned(root, *list, synced.plan, session));
    if (synced.written) session.Message(pending::IncludePath(*list) + ": written");
    const Exit told = Tell(session, *list, synced, repository != nullptr);
    if (told != Exit::Fine) exit = told;
  }
  return exit;
}

/// Updates the lists in a folder that need not be in a repository.
Outcome SyncFolder(const Arguments& arguments, Session& session) {
  for (const char* const option : {"--include", "--file"}) {
    if (auto both = Contradiction(arguments, {"--in", option})) return *both;
  }
  TRY(const auto folder, OpenConfigFolder(session.directory, arguments.Value("--in")));
  TRY(const auto lists, ListsNamed(folder.config, session.list));
  TRY(const auto lock, base::FileLock::TakeFolder(folder.root));
  return SyncLists(folder.root, nullptr, "", lists, session);
}

Outcome RunSync(const Arguments& arguments, Session& session) {
  if (arguments.Has("--in")) return SyncFolder(arguments, session);
  if (arguments.Has("--include") || arguments.Has("--file"))
    return IncludesOnly(arguments, session);
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto lists, workspace.Lists(session.list));
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  return SyncLists(workspace.root(), &workspace.repository(), workspace.GitPath(""), lists,
                   session);
}

}  // namespace

Command SyncCommand() {
  return {{"sync",
           "update the include file of pending revisions",
           "For lists with `numbers: at-landing`, updates the include file that adds the pending "
           "revisions to\nthe enum. CMake and the git hooks run this command.",
           "$ revctl sync",
           {},
           {{"--include", "", "update only the include files"},
            {"--in", "FOLDER", "sync in this folder; works without git", Hint::Folder},
            {"--file", "LIST.h", "sync this list only; needs no repository", Hint::File}},
           true},
          RunSync};
}

}  // namespace revctl::commands
