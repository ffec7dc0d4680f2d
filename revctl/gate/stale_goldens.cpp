// RV028: two branches that are green alone must not turn the target red.
#include "revctl/goldens/stale_goldens.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/rules.h"

namespace revctl::commands {

base::Result<base::Done> CheckStaleGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  if (gate.config().golden.empty() || gate.landed() == nullptr) return base::Done{};
  std::vector<std::string> pending;
  for (const list::Entry* entry : gate.Pending()) pending.push_back(entry->name);
  const std::string& there = gate.sides().golden.target;
  const std::string folder = request.prefix + gate.config().golden;
  auto stale = FindStaleGoldens(
      {request.repository, &request.side, request.target, request.target_label, folder,
       there.empty() ? folder : request.prefix + there, &gate.config().purged},
      gate.landed()->Revisions(), pending);
  if (!stale.ok()) return stale.error();
  // Written anew by code that has both.
  const auto& base = gate.sides().base_commit;
  const bool behind = base && request.target && *base != *request.target;
  const std::string first = behind ? fmt::format("git merge {} (or pull --rebase), then ",
                                                 base::ShellWord(request.target_label))
                                   : "";
  const std::string fix = first + RefreshCommand(gate.policy(), folder);
  for (StaleGolden& golden : *stale) {
    const list::Entry* entry = gate.ours().Find(golden.revision);
    const bool waits = entry != nullptr && !entry->pending_file.empty();
    // A fold refreshes what waits for it, where it can be read. What this change folds stays as it
    // is.
    const bool mended = waits && (golden.known || gate.IsPendingThere(golden.revision));
    out.push_back(
        {"RV028", mended ? findings::Severity::Note : findings::Severity::Error,
         std::move(golden.message), std::move(golden.file), 0, golden.revision,
         waits || gate.config().numbers != list::Numbers::AtLanding
             ? fix
             : fmt::format("revctl fold on {}, which records them again", request.target_label)});
  }
  return base::Done{};
}

}  // namespace revctl::commands
