#include <fmt/core.h>
#include <algorithm>
#include <cstdio>

#include "harness/commands/approving.h"
#include "harness/commands/command.h"

namespace revctl::harness {
namespace {

using Kind = golden::Approval::Kind;

/// What a command line names: `Type.name`, `Type.old=new`, an id. Type and name may hold dots of
/// their own, so that only what there is to approve tells where one ends.
struct Wanted {
  Kind kind = Kind::Rename;
  std::string type, place, to, id;
};

/// False where the text is no place.
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
    case Kind::Condition:  // several texts of it may be recorded, and none reads well on a command
                           // line
      return stands_at(approval.field);
    default:
      return approval.type == wanted.type;
  }
}

/// Whether a change that was accepted before is the one wanted.
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
                  named == 1 ? fmt::format("`{}` names no change", Named(arguments))
                             : "say one thing to approve",
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
  if (!seen && WasAccepted(session, wanted)) {  // by a run that was killed since, or another person
    if (!session.quiet) std::printf("approved already: %s\n", Named(arguments).c_str());
    return Exit::Fine;
  }
  if (!seen)
    return Refuse(Exit::Usage, "`check` finds no such change: " + Named(arguments),
                  session.program + " review --list");
  return Exit::Fine;
}

}  // namespace revctl::harness
