// Gives numbers to what is about to land, and commits them.
#include <algorithm>

#include "revctl/landing/steps.h"
#include "revctl/numbering/renumber_list.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

struct PendingNames {
  std::vector<std::string> names;  ///< in the order of their numbers
  bool others = false;             ///< one of them is held by another person
};

Result<PendingNames> PendingOf(const Landing& landing, const list::ListConfig& list,
                               const git::Person& me) {
  TRY(auto view, LookAt(landing.workspace, list, landing.seen));
  const Numbering numbering = view.numbering();
  PendingNames out;
  for (const list::Entry* entry : numbering.Pending()) {
    out.names.push_back(entry->name);
    const ledger::Reservation* held = view.ledger.Find(entry->name);
    out.others = out.others || (held != nullptr && !ledger::SamePerson(held->who, me));
  }
  return out;
}

}  // namespace

std::vector<std::string> ListFiles(const Workspace& workspace) {
  std::vector<std::string> out;
  for (const auto& list : workspace.config().lists) out.push_back(workspace.GitPath(list.path));
  return out;
}

Result<std::vector<LandedRevision>> NewRevisions(const Workspace& workspace, const git::Oid& from,
                                                 const git::Oid& to) {
  std::vector<LandedRevision> out;
  for (const auto& list : workspace.config().lists) {
    auto before = workspace.ParseAt(from, list);
    if (!before.ok()) continue;  // a list that this mends: what is new in it is not known
    TRY(auto after, workspace.ParseAt(to, list));
    if (!after) continue;
    for (const list::Entry* entry : after->Revisions()) {
      if (!*before || (*before)->Find(entry->name) == nullptr)
        out.push_back({list.name, entry->name, entry->number});
    }
  }
  return out;
}

Result<Done> GiveNumbers(Landing& landing, const std::vector<std::string>& files) {
  TRY(auto me, landing.repository().Identity());
  auto noted = SaveLandState(landing, LandState::Phase::Numbers);
  if (!noted.ok()) return noted;
  std::vector<std::string> written;
  std::string message;
  for (const auto& list : landing.workspace.config().lists) {
    if (std::find(files.begin(), files.end(), landing.workspace.GitPath(list.path)) == files.end())
      continue;
    TRY(auto pending, PendingOf(landing, list, me));
    TRY(auto before, landing.workspace.ReadList(list));
    // What a colleague reserved lands with this branch, too; it stays theirs.
    RenumberRequest request;
    if (pending.others) request.names = pending.names;
    TRY(const auto lock, landing.workspace.LockLists(landing.session));
    TRY(auto renumbered, RenumberList(landing.workspace, list, request, landing.session));
    for (const std::string& line : MoveLines(renumbered)) landing.session.Message(line);
    TRY(auto after, landing.workspace.ReadList(list));
    if (before == after) continue;
    TRY(auto now, landing.workspace.ParseWorking(list));
    written.push_back(landing.workspace.GitPath(list.path));
    for (const std::string& name : pending.names) {
      if (const list::Entry* entry = now.Find(name))
        message += fmt::format("\n{} = {}", name, entry->number);
    }
  }
  if (!written.empty()) {
    auto made = CommitPaths(landing.repository(), written, "Numbers for landing\n" + message);
    if (!made.ok()) return made;
  }
  return SaveLandState(landing, LandState::Phase::Idle);
}

}  // namespace revctl::commands
