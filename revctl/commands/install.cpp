#include "revctl/commands/table.h"
#include "revctl/setup/init_record.h"
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
  TRY(auto workspace, Workspace::Open(session.directory));
  return Report(session, Installation(workspace, session.program).Install(),
                "everything is already set up");
}

/// Undoes the `init` that ran in this clone, if nothing depends on it yet and the user agrees.
Outcome UndoStart(const Arguments& arguments, Session& session, const Workspace& workspace) {
  auto record = ReadInitRecord(workspace.repository());
  if (!record) return base::Exit::Fine;
  ledger::Ledger ledger = workspace.OpenLedger();
  auto snapshot = record->ledger_tip.empty() ? ledger.Cached() : ledger.Refresh(true);
  if (!snapshot.ok()) {
    session.Message("kept the files that revctl init wrote, because the ledger cannot be read: " +
                    snapshot.error().message);
    return base::Exit::Fine;
  }
  TRY(const UndoPlan plan, PlanUndo(workspace, std::move(*record), *snapshot));
  if (plan.has_landed) {
    ForgetInit(workspace.repository());
    return base::Exit::Fine;
  }
  if (!plan.why_not.empty()) {
    session.Message("kept the files that revctl init wrote: " + plan.why_not);
    return base::Exit::Fine;
  }
  if (!arguments.Has("--yes")) {
    session.Message(
        "revctl init ran in this clone, and nothing depends on it yet. Undoing it does the "
        "following:\n" +
        plan.Text(workspace));
    if (!session.Ask("revctl: undo it?")) {
      session.Message(
          "kept the files that revctl init wrote; to remove them: revctl uninstall --yes");
      return base::Exit::Fine;
    }
  }
  TRY(UndoInit(workspace, plan, ledger));
  if (!session.quiet) {
    session.Out(plan.Text(workspace));
    if (plan.is_committed)
      session.Out("commit the removal of .revctl.yaml, because HEAD still has it\n");
  }
  return base::Exit::Fine;
}

Outcome RunUninstall(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::OpenAnyway(session.directory));
  const auto done = Installation(workspace, session.program).Uninstall();
  const Outcome reported =
      Report(session, done, "nothing to uninstall: this clone has no revctl merge driver or hooks");
  return reported.ok() ? UndoStart(arguments, session, workspace) : reported;
}

}  // namespace

Command InstallCommand() {
  return {
      {"install",
       "set up the merge driver and the hooks in this clone",
       "Sets up the merge driver in the local git config, the list's line in .gitattributes, and "
       "a\npre-commit and a pre-push hook. Run it once in each clone. Existing hooks that are "
       "shell scripts\nkeep their lines; `revctl doctor` prints the line to add to other hooks.",
       "$ revctl install",
       {},
       {}},
      RunInstall};
}

Command UninstallCommand() {
  return {
      {"uninstall",
       "remove what install added",
       "Removes the merge driver, for all work trees of the clone, and revctl's lines in hooks. "
       "Committed\nlines of .gitattributes stay, because they belong to the team. In the clone "
       "that ran `revctl init`,\nit also offers to undo init as long as nothing has been reserved "
       "or landed: it restores the\nfiles and deletes the ledger on the server.",
       "$ revctl uninstall",
       {},
       {{"--yes", "", "undo init without asking"}}},
      RunUninstall};
}

}  // namespace revctl::commands
