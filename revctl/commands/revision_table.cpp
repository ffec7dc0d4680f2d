#include "revctl/commands/revision_table.h"

#include <fmt/core.h>
#include <algorithm>
#include <vector>

#include "golden/schema_changes.h"
#include "golden/store.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// Returns a line for each layout change in the records of the `pending` revisions.
std::string LayoutChanges(const Workspace& workspace, const ListView& view,
                          const std::vector<const list::Entry*>& pending) {
  std::string lines;
  if (pending.empty() || view.config->golden.empty()) return lines;
  golden::Layouts layouts;
  for (const list::Entry* entry : view.working.Revisions()) {
    const auto record =
        golden::ReadRecordText(workspace.FilePath(view.config->golden), entry->name);
    if (!record.ok() || !*record) continue;
    const auto changes = golden::ApplyRecord(**record, layouts);
    if (std::find(pending.begin(), pending.end(), entry) != pending.end())
      lines += golden::DescribeChanges(changes, entry->name);
  }
  return lines;
}

}  // namespace

base::Result<std::string> RevisionTable(const Workspace& workspace,
                                        const std::vector<const list::ListConfig*>& lists,
                                        const ledger::Snapshot& snapshot) {
  std::string rows, changes;
  for (const list::ListConfig* config : lists) {
    auto view = ReadListView(workspace, *config, snapshot);
    if (!view.ok()) continue;
    const auto pending = view->numbering().Pending();
    changes += LayoutChanges(workspace, *view, pending);
    for (const list::Entry* entry : pending) {
      std::string state = "reserved in the ledger";
      if (!entry->pending_file.empty())
        state = fmt::format("pending: the fold on {} will assign the number",
                            workspace.config().target);
      else if (view->StateOf(*entry) == "provisional") state = "not reserved";
      // No cell needs escaping: names of revisions are identifiers, and the config parser validates
      // the `name` of a list.
      rows += fmt::format("| `{}` | {} | {} |{}\n", entry->name, entry->number, state,
                          lists.size() > 1 ? fmt::format(" {} |", config->name) : "");
    }
  }
  if (rows.empty()) return std::string("No new revisions.\n");
  return (lists.size() > 1
              ? std::string("| revision | number | state | list |\n|---|---|---|---|\n")
              : std::string("| revision | number | state |\n|---|---|---|\n")) +
         rows + (changes.empty() ? "" : "\nThis branch changes:\n\n" + changes);
}

}  // namespace revctl::commands
