#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>

#include "revctl/commands/command.h"
#include "revctl/commands/hook_input.h"
#include "revctl/commands/installation.h"
#include "revctl/commands/list_names.h"

namespace revctl::commands {
namespace {

Outcome Report(Session& session, const findings::Result<std::vector<std::string>>& done,
               std::string_view nothing) {
  if (!done.ok()) return done.error();
  if (!session.quiet) {
    for (const std::string& line : *done) session.Out(line + "\n");
  }
  if (done->empty()) session.Talk(nothing);
  return findings::Exit::Fine;
}

/// reference-transaction: "<old id> <new id> <ref>" a line. Lists may be called differently on a
/// branch that was fetched. Nothing of the work tree is needed: it may be a branch without
/// `.revctl.yaml`.
Outcome NoteSeen(const Arguments& arguments, Session& session) {
  auto repository = git::OpenRepository(session.directory);
  if (!repository.ok()) return repository.error();
  std::vector<git::Oid> tips;
  const auto take = [&tips](const std::string& line) {
    const auto words = LastWords(line, 3);
    if (!words || !IsObjectId((*words)[1])) return false;
    if ((*words)[2].starts_with("refs/remotes/") && !git::IsNull((*words)[1]))
      tips.push_back((*words)[1]);
    return true;
  };
  // The hook's shell may have read a line by itself, to see whether there is anything to note.
  std::string line = arguments.Value("--moved");
  while (!line.empty() || std::getline(std::cin, line)) {
    if (!take(line))
      return NotFromGit(line, "<old id> <new id> <ref>", "install --seen", "reference-transaction");
    line.clear();
  }
  if (const std::string waiting = arguments.Value("--waiting"); !waiting.empty()) {
    // Taken away before it is read: what another fetch adds meanwhile is in the next one.
    const std::string mine = waiting + "." + std::to_string(::getpid());
    if (std::rename(waiting.c_str(), mine.c_str()) == 0) {
      std::ifstream in(mine);
      std::getline(in, line);  // whose it is
      while (std::getline(in, line)) take(line);
      std::remove(mine.c_str());
    }
  }
  const ListNames names(**repository);
  auto known = names.Noted();
  if (!known.ok()) return known.error();
  std::set<std::string> lines;
  for (const std::string& folder : ListNames::Folders(*known))
    lines.merge(names.LinesAt(tips, folder));
  auto noted = names.Note(lines, false);
  if (!noted.ok()) return noted.error();
  return findings::Exit::Fine;
}

Outcome RunInstall(const Arguments& arguments, Session& session) {
  if (arguments.Has("--seen")) return NoteSeen(arguments, session);
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  return Report(session, Installation(*workspace, session.program).Install(),
                "everything is set up already");
}

Outcome RunUninstall(const Arguments&, Session& session) {
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  return Report(session, Installation(*workspace, session.program).Uninstall(),
                "nothing of revctl's is set up here");
}

}  // namespace

Command InstallCommand() {
  return {"install",
          "set up the merge driver and the hooks in this clone",
          "Once a clone: the merge driver in the local git config, the list's line in "
          ".gitattributes, a\n"
          "pre-commit and a pre-push hook, and one that notes after a fetch what lists are called "
          "on other\n"
          "branches (info/attributes). Hooks that are there already are kept and run first.",
          "$ revctl install",
          {},
          {{"--seen", "",
            "only note the names of lists in commits that git's reference-transaction hook tells "
            "of on stdin",
            Hint::None},
           {"--moved", "LINE", "with --seen: one of its lines that was read already", Hint::None},
           {"--waiting", "FILE", "with --seen: lines of an earlier fetch, taken away", Hint::File}},
          RunInstall};
}

Command UninstallCommand() {
  return {"uninstall",
          "take away exactly what install added",
          "A hook that was there before is back byte for byte.",
          "$ revctl uninstall",
          {},
          {},
          RunUninstall};
}

}  // namespace revctl::commands
