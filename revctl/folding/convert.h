#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Switches a list to numbers at landing: adds the include lines, the folder of pending files and
/// the ignored include file, and edits `.revctl.yaml` last, so that an interrupted run can be
/// repeated. `floor` is the ledger's high-water mark. Returns one line per change.
base::Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                                   const list::ListConfig& list,
                                                   std::optional<std::int64_t> floor);

/// Switches a list to numbers at reserve: removes the include lines and the folder of pending
/// files. Fails with Exit::Findings if a revision is still pending. Returns one line per change.
base::Result<std::vector<std::string>> ToAtReserve(const Workspace& workspace,
                                                   const list::ListConfig& list);

/// Converts this branch's own revisions to the form that its `.revctl.yaml` asks for: either list
/// entries that have not landed become pending files in the same order, or pending files that the
/// target lacks become reserved entries. Calls `converted` with a line for each revision as soon as
/// it is converted. An interrupted run can be repeated.
base::Result<base::Done> ConvertBranchNumbering(
    const Workspace& workspace, const list::ListConfig& list, const base::Listener& listener,
    const std::function<void(const std::string& line)>& converted);

}  // namespace revctl::commands
