#include "harness/check.h"

#include <cstdio>

#include "harness/commands/command.h"

namespace harness {

Exit RunCheck(const Session& session, const CheckArguments& arguments) {
  const golden::Store store = golden::Store::Open(session.golden);
  const CheckResult result = Check(session.registry, *session.list, store,
                                   {session.seed, session.program, session.source_root,
                                    session.registry.settings.build_root, arguments.thorough});
  const std::string text =
      revctl::findings::Render(result.findings, session.format, session.colour);
  std::fputs(text.c_str(), stdout);
  if (!session.quiet) {
    std::fprintf(stderr, "%zu types, %zu revisions, %zu goldens: %s\n", result.types,
                 result.revisions, result.goldens, result.errors ? "not fine" : "fine");
  }
  return result.errors ? Exit::Findings : Exit::Fine;
}

}  // namespace harness
