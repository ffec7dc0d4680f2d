#include "harness/commands/approving.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "harness/isolated_check.h"

namespace harness {

bool UnderCi() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0' && std::string_view(ci) != "false";
}

bool IsReason(const std::string& reason) {
  return reason.find_first_not_of(" .\t\r\n") != std::string::npos;
}

std::vector<Pending> PendingChanges(const Session& session) {
  const golden::Store store = golden::Store::Open(session.golden);
  return CheckIsolated(session.registry, *session.list, store, OptionsOf(session)).pending;
}

PendingFolder FolderOf(const Session& session) {
  namespace fs = std::filesystem;
  const std::string root = session.registry.settings.build_root;
  const fs::path name = fs::path(session.path).filename();
  if (!root.empty()) return PendingFolder((fs::path(root) / "revctl-pending" / name).string());
  const fs::path own = fs::temp_directory_path() / ("revctl-pending-" + std::to_string(::geteuid()));
  return PendingFolder((own / name).string(), own.string());
}

Exit Accept(const Session& session, const Pending& pending, const std::string& reason) {
  golden::Approval approval = pending.approval;
  approval.reason = reason;
  const auto written = golden::WriteApproval(session.golden, approval);
  if (!written)
    return Refuse(Exit::Environment, written.problem().file + ": " + written.problem().message);
  FolderOf(session).Remove(pending);
  if (!session.quiet) std::printf("approved: %s/%s\n", session.golden.c_str(), written->c_str());
  return Exit::Fine;
}

}  // namespace harness
