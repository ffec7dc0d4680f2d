#include "revctl/commands/revision_table.h"

#include <fmt/core.h>

#include "revctl/workspace/list_view.h"

namespace revctl::commands {

base::Result<std::string> RevisionTable(const Workspace& workspace,
                                        const std::vector<const list::ListConfig*>& lists,
                                        const ledger::Snapshot& snapshot) {
  std::string rows;
  for (const list::ListConfig* config : lists) {
    auto view = ReadListView(workspace, *config, snapshot);
    if (!view.ok()) continue;
    for (const list::Entry* entry : view->numbering().Pending()) {
      std::string state = "reserved in the ledger";
      if (!entry->pending_file.empty())
        state = fmt::format("pending: the fold on {} gives it", workspace.config().target);
      else if (view->StateOf(*entry) == "provisional") state = "not reserved";
      // Names of revisions are identifiers, and `name` of a list is checked, too.
      rows += fmt::format("| `{}` | {} | {} |{}\n", entry->name, entry->number, state,
                          lists.size() > 1 ? fmt::format(" {} |", config->name) : "");
    }
  }
  if (rows.empty()) return std::string("No new revisions.\n");
  return (lists.size() > 1
              ? std::string("| revision | number | state | list |\n|---|---|---|---|\n")
              : std::string("| revision | number | state |\n|---|---|---|\n")) +
         rows;
}

}  // namespace revctl::commands
