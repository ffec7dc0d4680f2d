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
  return {{"install",
           "set up the merge driver and the hooks in this clone",
           "Once a clone: the merge driver in the local git config, the list's line in "
           ".gitattributes, a\n"
           "pre-commit and a pre-push hook, and what lists are called on other branches "
           "(info/attributes).\n"
           "Hooks that are there already are kept and run first.",
           "$ revctl install",
           {},
           {}},
          RunInstall};
}

Command UninstallCommand() {
  return {{"uninstall",
           "take away exactly what install added",
           "A hook that was there before is back byte for byte.",
           "$ revctl uninstall",
           {},
           {}},
          RunUninstall};
}

}  // namespace revctl::commands
