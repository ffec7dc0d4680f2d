// Updates the include file, which the compiler sees, from the pending files.
#include <fmt/core.h>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Deletes pending files that came back after their fold. The user commits the deletion.
Result<base::Done> RemoveReturned(const std::string& root, const list::ListConfig& list,
                                  const pending::Plan& plan, Session& session) {
  for (const std::string& name : plan.returned) {
    const std::string path = pending::FilePath(list, name);
    if (auto removed = base::RemoveFile(root + "/" + path); !removed)
      return Error{Exit::Environment, path + ": " + removed.error().message,
                   "git rm " + base::ShellPath(path)};
    session.Out(fmt::format("{}: removed, since {} is in the list; commit that\n", path, name));
  }
  return base::Done{};
}

/// Prints the revisions that cannot be numbered, and returns the exit code.
Exit Tell(Session& session, const list::ListConfig& list, const Synced& synced) {
  for (const std::string& line : BlockedLines(list, synced.plan))
    session.Message("revctl: " + line);
  if (const auto fault = pending::FaultOfBlock(synced.list, list)) {
    const std::string line = fault->line == 0 ? "" : fmt::format(":{}", fault->line);
    session.Message(fmt::format("revctl: {}{}: {}; fix: revctl fix", list.path, line, fault->why));
    return Exit::Findings;
  }
  return synced.plan.blocked.empty() ? Exit::Fine : Exit::Findings;
}

/// Updates the include files for a build or a hook, which unnumbered revisions must not fail.
Outcome IncludesOnly(const Arguments& arguments, Session& session) {
  TRY(auto source, FindListSource(arguments, session, "revctl sync"));
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

Outcome RunSync(const Arguments& arguments, Session& session) {
  if (arguments.Has("--include") || arguments.Has("--file"))
    return IncludesOnly(arguments, session);
  TRY(auto workspace, Workspace::Open(session));
  TRY(auto lists, workspace.Lists(session));
  TRY(const auto lock, workspace.LockLists(session));
  Exit exit = Exit::Fine;
  for (const list::ListConfig* list : lists) {
    if (!AtLanding(*list)) continue;
    TRY(auto synced, WriteInclude(workspace.root(), *list));
    TRY(FixUntracked(workspace.repository(), workspace.GitPath(""), *list, synced.plan));
    TRY(RemoveReturned(workspace.root(), *list, synced.plan, session));
    if (synced.written) session.Message(pending::IncludePath(*list) + ": written");
    const Exit told = Tell(session, *list, synced);
    if (told != Exit::Fine) exit = told;
  }
  return exit;
}

}  // namespace

Command SyncCommand() {
  return {{"sync",
           "write the include file of pending revisions",
           "For lists with `numbers: at-landing`: brings what the compiler sees in step with the "
           "pending files.\n"
           "CMake and the hooks call it.",
           "$ revctl sync",
           {},
           {{"--include", "", "write include files only, change nothing else", Hint::None},
            {"--file", "LIST.h", "of this list only; needs no repository", Hint::File}},
           true},
          RunSync};
}

}  // namespace revctl::commands
