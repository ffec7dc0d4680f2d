#include <cstdio>

#include "harness/commands/command.h"
#include "harness/isolated_check.h"

namespace harness {

Exit RunCheck(const Session& session, const CheckArguments& arguments) {
  const golden::Store store = golden::Store::Open(session.golden);
  CheckOptions options = OptionsOf(session);
  options.thorough = arguments.thorough;
  options.in_process = arguments.in_process;
  const CheckResult result = CheckIsolated(session.registry, *session.list, store, options);
  const std::string text =
      revctl::findings::Render(result.findings, session.format, session.colour);
  std::fputs(text.c_str(), stdout);
  if (!session.quiet) {
    std::fprintf(stderr, "%s: %s\n", Judged(result).c_str(), result.errors ? "not fine" : "fine");
    if (!result.pending.empty())
      std::fprintf(stderr, "%s may be meant: %s review\n", Counted(result.pending.size(), "change").c_str(),
                   session.program.c_str());
  }
  return result.errors ? Exit::Findings : Exit::Fine;
}

}  // namespace harness
