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
    std::fprintf(stderr, "%zu types, %zu revisions, %zu goldens: %s\n", result.types,
                 result.revisions, result.goldens, result.errors ? "not fine" : "fine");
    if (!result.pending.empty())
      std::fprintf(stderr, "%zu changes may be meant: %s review\n", result.pending.size(),
                   session.program.c_str());
  }
  return result.errors ? Exit::Findings : Exit::Fine;
}

}  // namespace harness
