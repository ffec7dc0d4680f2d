#include "harness/commands/approving.h"
#include "harness/commands/progress_line.h"

#include <fmt/core.h>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace revctl::harness {

bool UnderCi() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0' && std::string_view(ci) != "false";
}

Exit RefuseUnderCi(const Session& session) {
  return Refuse(Exit::Usage, "CI is set: what is approved, a person approves",
                fmt::format("{} review   # outside CI, then commit what it writes to {}/approved",
                            session.program, session.golden));
}

bool IsReason(const std::string& reason) {
  return reason.find_first_not_of(" .\t\r\n") != std::string::npos;
}

std::vector<Pending> PendingChanges(const Session& session) {
  const golden::Store store = golden::Store::Open(session.golden);
  return CheckShown(session, store, OptionsOf(session)).pending;
}

PendingFolder FolderOf(const Session& session) {
  return PendingFolder::Of(session.registry.settings, session.path);
}

Exit Accept(const Session& session, const Pending& pending, const std::string& reason) {
  golden::Approval approval = pending.approval;
  approval.reason = reason;
  const auto written = golden::WriteApproval(session.golden, approval);
  if (!written) return Refuse(Exit::Environment, written.error());
  FolderOf(session).Remove(pending);
  if (!session.quiet) std::printf("approved: %s/%s\n", session.golden.c_str(), written->c_str());
  return Exit::Fine;
}

}  // namespace revctl::harness
