#include "harness/commands/approve.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include "harness/commands/command.h"
#include "harness/commands/session.h"
#include "harness/history/git_queries.h"
#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/terminal.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

bool IsWithin(const fs::path& folder, const fs::path& above) {
  const fs::path relative = folder.lexically_normal().lexically_relative(above.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

/// Returns the git directory of the work tree that contains `folder`, or "" if `folder` is not
/// in a work tree.
fs::path GitFolder(const fs::path& folder) {
  constexpr std::string_view kLeadsTo =
      "gitdir: ";  // prefix of the `.git` file in a linked work tree or submodule
  constexpr std::size_t kMost = 4096;
  std::error_code error;
  const fs::path root = WorkTreeAround(folder.lexically_normal());
  if (root.empty()) return {};
  const fs::path git = root / ".git";
  if (fs::is_directory(git, error)) return git;
  const auto text = base::ReadFile(git.generic_string(), kMost);
  if (!text || !*text || !(*text)->starts_with(kLeadsTo)) return {};
  const std::size_t end = std::min((*text)->find_first_of("\r\n"), (*text)->size());
  const fs::path linked = root / (*text)->substr(kLeadsTo.size(), end - kLeadsTo.size());
  return fs::is_directory(linked, error) ? linked.lexically_normal() : fs::path();
}

}  // namespace

PendingFolder PendingFolder::Of(const revctl::harness::Settings& settings,
                                const std::string& program) {
  const fs::path name = fs::path(program).filename();
  const std::string sources = settings.source_root;
  const bool among_sources = !sources.empty() && IsWithin(sources, settings.build_root);
  const fs::path root = among_sources ? GitFolder(sources) : fs::path(settings.build_root);
  if (!root.empty()) return PendingFolder((root / "revctl-pending" / name).generic_string());
  const fs::path own =
      fs::temp_directory_path() / fmt::format("revctl-pending-{}", base::UserNumber());
  return PendingFolder((own / name).generic_string(), own.generic_string());
}

std::string PendingId(const Pending& pending) { return golden::ApprovalId(pending.approval); }

golden::Result<golden::Done> PendingFolder::Replace(const std::vector<Pending>& pending) const {
  if (!own_.empty()) {
    if (auto made = base::MakePrivateFolder(own_); !made) return made.error();
  }
  TRY(const auto lock, base::FileLock::TakeFolder(folder_));
  std::vector<std::string> wanted;
  for (const Pending& change : pending) {
    const std::string id = PendingId(change);
    // These approvals have no reason yet, so the store rejects them until a user adds one.
    for (const auto& [name, text] :
         {std::pair(id + ".yaml", golden::FormatApproval(change.approval)),
          std::pair(id + ".txt", change.text + "\n")}) {
      TRY(base::WriteFileAtomically(folder_ + "/" + name, text));
      wanted.push_back(name);
    }
  }
  TRY(const auto present, base::ListFiles(folder_));
  for (const std::string& name : present) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      (void)base::RemoveFile(folder_ + "/" + name);
  }
  return golden::Done{};
}

void PendingFolder::Remove(const Pending& pending) const {
  for (const char* ending : {".yaml", ".txt"})
    (void)base::RemoveFile(folder_ + "/" + PendingId(pending) + ending);
}

bool UnderCi() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0' && std::string_view(ci) != "false";
}

bool IsReason(const std::string& reason) {
  return reason.find_first_not_of(" .\t\r\n") != std::string::npos;
}

namespace {

using Kind = golden::Approval::Kind;

PendingFolder FolderOf(const Session& session) {
  return PendingFolder::Of(session.registry.settings, session.path);
}

/// Reports that CI may not approve changes, and how a person can approve them.
Exit RefuseUnderCi(const Session& session) {
  return Refuse(
      Exit::Usage, "cannot approve in CI ($CI is set): approvals must come from a person",
      fmt::format("{} review   # outside CI, then commit the files it writes to {}/approved",
                  session.program, session.golden));
}

std::vector<Pending> PendingChanges(const Session& session) {
  const golden::Store store = golden::Store::Open(session.golden);
  return CheckShown(session, store, OptionsOf(session)).pending;
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

/// A parsed argument: `Type.name`, `Type.old=new` or an id. Types and names may contain dots, so
/// only a comparison with the pending changes shows where the type ends.
struct Wanted {
  Kind kind = Kind::Rename;
  std::string type, place, to, id;
};

/// Returns false if the text does not contain a `Type.name`.
bool Take(const std::string& text, std::string& place) {
  const auto dot = text.find('.');
  if (dot == std::string::npos || dot == 0 || text.ends_with('.')) return false;
  place = text;
  return true;
}

bool Read(const ApproveArguments& arguments, Wanted& wanted) {
  if (!arguments.pending.empty()) {
    wanted.id = arguments.pending;
    return true;
  }
  if (!arguments.upgraded.empty()) {
    wanted.kind = Kind::Upgrade;
    wanted.type = arguments.upgraded;
    return true;
  }
  if (!arguments.enumerator.empty()) {
    wanted.kind = Kind::Enumerator;
    return Take(arguments.enumerator, wanted.place);
  }
  if (!arguments.condition.empty()) {
    wanted.kind = Kind::Condition;
    return Take(arguments.condition, wanted.place);
  }
  const auto equals = arguments.rename.rfind('=');
  if (equals == std::string::npos || equals + 1 >= arguments.rename.size()) return false;
  wanted.to = arguments.rename.substr(equals + 1);
  return Take(arguments.rename.substr(0, equals), wanted.place);
}

bool Fits(const Wanted& wanted, const Pending& pending) {
  if (!wanted.id.empty()) return PendingId(pending) == wanted.id;
  const golden::Approval& approval = pending.approval;
  if (approval.kind != wanted.kind) return false;
  const auto stands_at = [&](const std::string& name) {
    return wanted.place == approval.type + "." + name;
  };
  switch (wanted.kind) {
    case Kind::Rename:
      return stands_at(approval.from) && approval.to == wanted.to;
    case Kind::Enumerator:
      return stands_at(approval.to);
    // Match only the field, because the text of a condition is awkward to type, and several
    // versions of it may be recorded.
    case Kind::Condition:
      return stands_at(approval.field);
    default:
      return approval.type == wanted.type;
  }
}

bool WasAccepted(const Session& session, const Wanted& wanted) {
  const golden::Store store = golden::Store::Open(session.golden);
  return std::any_of(store.approvals().begin(), store.approvals().end(),
                     [&](const golden::Approval& approval) {
                       return Fits(wanted, {approval, "", ""});
                     });
}

std::string Named(const ApproveArguments& arguments) {
  return arguments.pending + arguments.upgraded + arguments.enumerator + arguments.condition +
         arguments.rename;
}

}  // namespace

Exit RunApprove(const Session& session, const ApproveArguments& arguments) {
  if (UnderCi()) return RefuseUnderCi(session);
  const int named = !arguments.pending.empty() + !arguments.upgraded.empty() +
                    !arguments.enumerator.empty() + !arguments.condition.empty() +
                    !arguments.rename.empty();
  Wanted wanted;
  if (named != 1 || !Read(arguments, wanted)) {
    return Refuse(Exit::Usage,
                  named == 1 ? fmt::format("`{}` is not a valid change", Named(arguments))
                             : "specify exactly one change to approve",
                  session.program +
                      " approve --rename Type.old=new | --upgraded Type | --enumerator Enum.name | "
                      "--condition Type.field | --pending ID, and --reason \"...\"");
  }
  if (!IsReason(arguments.reason))
    return Refuse(Exit::Usage,
                  "a reason is required, so that others can understand the decision later");
  // Approve only changes that `check` finds. Any other argument is a typo, and approving it might
  // hide a real change later.
  bool seen = false;
  for (const Pending& pending : PendingChanges(session)) {
    if (!Fits(wanted, pending)) continue;
    seen = true;
    if (const Exit exit = Accept(session, pending, arguments.reason); exit != Exit::Fine)
      return exit;
  }
  if (!seen && WasAccepted(session, wanted)) {  // approved by another person, or by a killed run
    if (!session.quiet) std::printf("already approved: %s\n", Named(arguments).c_str());
    return Exit::Fine;
  }
  if (!seen)
    return Refuse(Exit::Usage, "`check` does not find this change: " + Named(arguments),
                  session.program + " review --list");
  return Exit::Fine;
}

namespace {

bool Ask(const char* question, std::string& answer) {
  std::printf("%s", question);
  std::fflush(stdout);
  return static_cast<bool>(std::getline(std::cin, answer));
}

std::string Indented(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

enum class Decision { Accept, Reject, Skip, Quit };

Decision Decide(const Pending& pending, std::size_t number, std::size_t count,
                std::string& reason) {
  std::printf("\n%zu of %zu, %s\n%s\n", number, count, PendingId(pending).c_str(),
              Indented(pending.text).c_str());
  std::string answer;
  while (Ask("accept (a), reject (r), skip (s), quit (q)? ", answer)) {
    if (answer == "r" || answer == "reject") return Decision::Reject;
    if (answer == "s" || answer == "skip") return Decision::Skip;
    if (answer == "q" || answer == "quit") return Decision::Quit;
    if (answer != "a" && answer != "accept") continue;
    while (Ask("reason (so that others can understand the decision later): ", reason)) {
      if (IsReason(reason)) return Decision::Accept;
    }
    return Decision::Quit;
  }
  return Decision::Quit;
}

Exit List(const std::vector<Pending>& changes, const PendingFolder& folder) {
  for (const Pending& pending : changes)
    std::printf("%s  %s\n", PendingId(pending).c_str(),
                pending.text.substr(0, pending.text.find('\n')).c_str());
  std::fprintf(stderr, "%zu pending in %s\n", changes.size(), folder.path().c_str());
  return changes.empty() ? Exit::Fine : Exit::Findings;
}

}  // namespace

Exit RunReview(const Session& session, const ReviewArguments& arguments) {
  const bool terminal = base::IsTerminal(base::Stream::In);
  if (!arguments.list && UnderCi()) return RefuseUnderCi(session);
  if (!arguments.list && !terminal) {
    return Refuse(Exit::Usage, "`review` is interactive, so it needs a terminal",
                  session.program + " review --list, then approve --pending ID --reason \"...\"");
  }
  const std::vector<Pending> changes = PendingChanges(session);
  const PendingFolder folder = FolderOf(session);
  if (const auto written = folder.Replace(changes); !written)
    return Refuse(Exit::Environment, written.error());
  if (arguments.list) return List(changes, folder);
  std::size_t accepted = 0, rejected = 0, skipped = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::string reason;
    const Decision decision = Decide(changes[i], i + 1, changes.size(), reason);
    if (decision == Decision::Quit) break;
    if (decision == Decision::Skip) {
      ++skipped;
    } else if (decision == Decision::Reject) {
      ++rejected;
      folder.Remove(changes[i]);
      std::printf("rejected; to fix it:\n%s\n", Indented(changes[i].fix).c_str());
    } else if (const Exit exit = Accept(session, changes[i], reason); exit != Exit::Fine) {
      return exit;
    } else {
      ++accepted;
    }
  }
  std::printf("\n%zu accepted, %zu rejected, %zu skipped, %zu left\n", accepted, rejected, skipped,
              changes.size() - accepted - rejected - skipped);
  return accepted == changes.size() ? Exit::Fine : Exit::Findings;
}

}  // namespace revctl::harness
