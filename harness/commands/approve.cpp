#include <algorithm>
#include <cstdio>

#include "harness/commands/approving.h"
#include "harness/commands/command.h"

namespace harness {
namespace {

using Kind = golden::Approval::Kind;

/// What a command line names: `Type.name`, `Type.old=new`, an id. The type may hold dots of its
/// own.
struct Wanted {
  Kind kind = Kind::Rename;
  std::string type, from, to, field, id;
};

/// False where the text is no such thing.
bool Split(const std::string& text, std::string& type, std::string& name) {
  const auto dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 >= text.size()) return false;
  type = text.substr(0, dot);
  name = text.substr(dot + 1);
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
    return Split(arguments.enumerator, wanted.type, wanted.to);
  }
  if (!arguments.condition.empty()) {
    wanted.kind = Kind::Condition;
    return Split(arguments.condition, wanted.type, wanted.field);
  }
  const auto equals = arguments.rename.rfind('=');
  if (equals == std::string::npos || equals + 1 >= arguments.rename.size()) return false;
  wanted.to = arguments.rename.substr(equals + 1);
  return Split(arguments.rename.substr(0, equals), wanted.type, wanted.from);
}

bool Fits(const Wanted& wanted, const Pending& pending) {
  if (!wanted.id.empty()) return PendingId(pending) == wanted.id;
  const golden::Approval& approval = pending.approval;
  if (approval.kind != wanted.kind || approval.type != wanted.type) return false;
  // Several texts of it may be recorded, and none reads well on a command line.
  if (wanted.kind == Kind::Condition) return approval.field == wanted.field;
  return approval.from == wanted.from && approval.to == wanted.to;
}

/// Whether a change that was accepted before is the one wanted.
bool WasAccepted(const Session& session, const Wanted& wanted) {
  const golden::Store store = golden::Store::Open(session.golden);
  return std::any_of(store.approvals().begin(), store.approvals().end(), [&](const golden::Approval& approval) {
    return Fits(wanted, {approval, "", ""});
  });
}

std::string Named(const ApproveArguments& arguments) {
  return arguments.pending + arguments.upgraded + arguments.enumerator + arguments.condition + arguments.rename;
}

}  // namespace

Exit RunApprove(const Session& session, const ApproveArguments& arguments) {
  if (UnderCi()) return RefuseUnderCi(session);
  const int named = !arguments.pending.empty() + !arguments.upgraded.empty() +
                    !arguments.enumerator.empty() + !arguments.condition.empty() + !arguments.rename.empty();
  Wanted wanted;
  if (named != 1 || !Read(arguments, wanted)) {
    return Refuse(Exit::Usage,
                  named == 1 ? "`" + Named(arguments) + "` names no change"
                             : std::string("say one thing to approve"),
                  session.program +
                      " approve --rename Type.old=new | --upgraded Type | --enumerator Enum.name | "
                      "--condition Type.field | --pending ID, and --reason \"...\"");
  }
  if (!IsReason(arguments.reason))
    return Refuse(Exit::Usage, "a reason is needed, for those who come later");
  // Only what `check` sees can be approved: anything else is a slip of the pen that would hide
  // something one day.
  bool seen = false;
  for (const Pending& pending : PendingChanges(session)) {
    if (!Fits(wanted, pending)) continue;
    seen = true;
    if (const Exit exit = Accept(session, pending, arguments.reason); exit != Exit::Fine)
      return exit;
  }
  if (!seen && WasAccepted(session, wanted)) {  // by a run that was killed since, or by somebody else
    if (!session.quiet) std::printf("approved already: %s\n", Named(arguments).c_str());
    return Exit::Fine;
  }
  if (!seen)
    return Refuse(Exit::Usage, "`check` finds no such change: " + Named(arguments),
                  session.program + " review --list");
  return Exit::Fine;
}

}  // namespace harness
