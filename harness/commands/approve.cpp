#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "golden/approval.h"
#include "harness/check.h"
#include "harness/commands/command.h"

namespace harness {

Exit RunApprove(const Session& session, const ApproveArguments& arguments) {
  const char* ci = std::getenv("CI");
  if (ci != nullptr && *ci != '\0' && std::string_view(ci) != "false") {
    return Refuse(Exit::Usage, "CI is set: what is approved, a person approves");
  }
  const auto equals = arguments.rename.rfind('=');
  const auto dot = arguments.rename.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 >= equals ||
      equals + 1 >= arguments.rename.size()) {
    return Refuse(Exit::Usage, "`" + arguments.rename + "` is no rename",
                  session.program + " approve --rename Type.old_name=new_name --reason \"...\"");
  }
  if (arguments.reason.find_first_not_of(" .") == std::string::npos) {
    return Refuse(Exit::Usage, "a reason is needed, for those who come later");
  }
  const golden::Approval approval{arguments.rename.substr(0, dot),
                                  arguments.rename.substr(dot + 1, equals - dot - 1),
                                  arguments.rename.substr(equals + 1), arguments.reason};
  // Only what `check` sees can be approved: anything else is a slip of the pen that would hide
  // something one day.
  const golden::Store store = golden::Store::Open(session.golden);
  const CheckResult result = Check(session.registry, *session.list, store,
                                   {session.seed, session.program, session.source_root,
                                    session.registry.settings.build_root, false});
  bool seen = false;
  for (const Finding& finding : result.findings) {
    seen = seen ||
           (finding.rule == rule::kLayout && finding.type == approval.type &&
            finding.field == approval.from &&
            finding.fix.find("approve --rename " + arguments.rename + " ") != std::string::npos);
  }
  if (!seen)
    return Refuse(Exit::Usage, "`check` finds no such rename: " + arguments.rename,
                  session.program + " check");
  const auto written = golden::WriteApproval(session.golden, approval);
  if (!written)
    return Refuse(Exit::Environment, written.problem().file + ": " + written.problem().message);
  if (!session.quiet)
    std::printf("approved: %s -> %s/%s\n", arguments.rename.c_str(), session.golden.c_str(),
                written->c_str());
  return Exit::Fine;
}

}  // namespace harness
