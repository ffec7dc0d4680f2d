#include <fmt/core.h>
#include <cstdio>
#include <set>

#include "harness/commands/approve.h"
#include "harness/commands/command.h"
#include "harness/commands/session.h"
#include "harness/history/landed.h"
#include "harness/schema/schema.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// Replays a crash. Does not return if the check crashes again.
Exit RunReplay(const Session& session, const CheckArguments& arguments, const golden::Store& store,
               const CheckOptions& options) {
  const std::string &type = arguments.type, &what = arguments.replay;
  if (session.registry.Find(type) == nullptr)
    return Refuse(
        Exit::Usage,
        type.empty() ? fmt::format("--replay {} requires --type", what)
                     : "no HARNESS_TYPE registers " + type,
        fmt::format("{} check --replay {} --type TYPE", session.program, base::ShellWord(what)));
  switch (Replay(session.registry, *session.list, store, options, type, what)) {
    case Replayed::Unknown:
      return Refuse(
          Exit::Usage, fmt::format("{}: `check` has no step named `{}`", type, what),
          session.program +
              " check   # names the step that terminates the process and prints the command "
              "that replays it");
    case Replayed::Vanished:
      return Refuse(
          Exit::Findings,
          fmt::format("{}: the {} terminated a child process, but not this one", type, what),
          "build with a sanitizer, because the result depends on what happens to be in memory");
    case Replayed::Harmless:
      break;
  }
  if (!session.quiet)
    std::fprintf(stderr, "%s: the %s does not terminate the process\n", type.c_str(), what.c_str());
  return Exit::Fine;
}

}  // namespace

Exit RunCheck(const Session& session, const CheckArguments& arguments) {
  const golden::Store store = golden::Store::Open(session.golden);
  CheckOptions options = OptionsOf(session);
  options.thorough = arguments.thorough;
  options.in_process = arguments.in_process;
  if (!arguments.replay.empty() && !arguments.outputs.empty())
    return Refuse(Exit::Usage,
                  "--output cannot be used with --replay, which does not write findings",
                  "remove --output");
  if (!arguments.replay.empty()) return RunReplay(session, arguments, store, options);
  if (!arguments.type.empty()) {
    if (session.registry.Find(arguments.type) == nullptr)
      return Refuse(Exit::Usage, "no HARNESS_TYPE registers " + arguments.type,
                    session.program + " check");
    options.only = std::set<std::string>{arguments.type};
    options.store = false;
  }
  CheckResult result = CheckShown(session, store, options);
  if (!arguments.type.empty()) result.types = 1;
  const Exit printed =
      PrintFindings(session, arguments.outputs, result.findings, CheckedCounts(result), [&] {
        const std::string changes =
            UnlandedChanges(History(*session.list, store), Landed(session.golden));
        return changes.empty() ? "" : "This branch changes:\n\n" + changes;
      });
  if (printed != Exit::Fine) return printed;
  NameUnreadSources(session, result.findings);
  if (!session.quiet && !result.pending.empty())
    std::fprintf(stderr, "%s may be intended; to accept, run %s review%s\n",
                 Counted(result.pending.size(), "change").c_str(), session.program.c_str(),
                 UnderCi() ? "   # outside CI, then commit the files it writes" : "");
  return result.errors ? Exit::Findings : Exit::Fine;
}

}  // namespace revctl::harness
