// Goldens: those of landed revisions stay (gate_landed_goldens.cpp), those of pending ones must be
// there.
#include "golden/index.h"
#include "revctl/commands/gate_parts.h"
#include "revctl/commands/installation.h"

namespace revctl::commands {

base::Result<base::Done> JudgeGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  auto judged = JudgeLandedGoldens(gate, out);
  if (!judged.ok() || gate.config().golden.empty()) return judged;
  const std::string folder = request.prefix + gate.config().golden;
  if (request.scope != GateRequest::Scope::Landing) return base::Done{};
  for (const list::Entry* entry : gate.Pending()) {
    const std::string file =
        folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry->name, ""});
    TRY(auto here, request.side.Exists(file));
    if (here) continue;
    std::optional<std::string> committed;
    if (!request.side.IsCommit()) {
      TRY(auto head, request.side.Head());
      TRY(auto text, head ? request.repository->ReadFile(*head, file)
                          : base::Result<std::optional<std::string>>(std::nullopt));
      committed = std::move(text);
    }
    if (committed) {
      // Recorded anew, they would be of today's code and no proof any more.
      gate.Add("RV020", "the goldens of " + entry->name + " are gone, and HEAD has them: " + file,
               entry->line, entry->name,
               "git restore --source=HEAD --staged --worktree -- " +
                   ShellQuoted(folder + "/" + entry->name + ".*"));
    } else {
      gate.Add("RV020",
               entry->name + " has no goldens (" + file +
                   "): files of this revision could break unnoticed",
               entry->line, entry->name, "run your harness with `record`, and commit " + file);
    }
  }
  return base::Done{};
}

}  // namespace revctl::commands
