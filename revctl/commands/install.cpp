#include "revctl/commands/table.h"
#include "revctl/setup/installation.h"

namespace revctl::commands {
namespace {

Outcome Report(Session& session, const base::Result<std::vector<std::string>>& done,
               std::string_view nothing) {
  if (!done.ok()) return done.error();
  if (!session.quiet) {
    for (const std::string& line : *done) session.Out(line + "\n");
  }
  if (done->empty()) session.Message(nothing);
  return base::Exit::Fine;
}

Outcome RunInstall(const Arguments&, Session& session) {
  TRY(auto workspace, Workspace::Open(session));
  return Report(session, Installation(workspace, session.program).Install(),
                "everything is set up already");
}

Outcome RunUninstall(const Arguments&, Session& session) {
  TRY(auto workspace, Workspace::OpenAnyway(session));
  return Report(session, Installation(workspace, session.program).Uninstall(),
                "nothing of revctl's is set up here");
}

}  // namespace

Command InstallCommand() {
  return {
      {"install",
       "set up the merge driver and the hooks in this clone",
       "Sets up the merge driver in the local git config, the list's line in .gitattributes, "
       "and a\n"
       "pre-commit and a pre-push hook. Run it once in each clone. Hooks that are there already "
       "keep their\n"
       "lines if they are shell scripts; `revctl doctor` prints the line that other hooks need.",
       "$ revctl install",
       {},
       {}},
      RunInstall};
}

Command UninstallCommand() {
  return {
      {"uninstall",
       "remove what install added",
       "Removes the merge driver, for all work trees of the clone, and the marked blocks. Lines "
       "of\n.gitattributes that have been committed stay, because they belong to the team.",
       "$ revctl uninstall",
       {},
       {}},
      RunUninstall};
}

}  // namespace revctl::commands
