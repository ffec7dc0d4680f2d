// Goldens: those of landed revisions stay (gate_landed_goldens.cpp), those of pending ones must be
// there.
#include "golden/index.h"
#include "revctl/commands/gate_parts.h"

namespace revctl::commands {

findings::Result<findings::Done> JudgeGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  auto judged = JudgeLandedGoldens(gate, out);
  if (!judged.ok() || gate.config().golden.empty()) return judged;
  const std::string folder = request.prefix + gate.config().golden;
  if (request.scope != GateRequest::Scope::Landing) return findings::Done{};
  for (const list::Entry* entry : gate.Pending()) {
    const std::string file =
        folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry->name, ""});
    auto here = request.side.Exists(file);
    if (!here.ok()) return here.error();
    if (!*here) {
      gate.Add("RV020",
               entry->name + " has no goldens (" + file +
                   "): files of this revision could break unnoticed",
               entry->line, entry->name, "run your harness with `record`, and commit " + file);
    }
  }
  return findings::Done{};
}

}  // namespace revctl::commands
