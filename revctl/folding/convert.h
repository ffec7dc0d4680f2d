#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Switches a list to numbers at landing: adds the include lines, the folder for pending files, and
/// the .gitignore line for the include file. Edits `.revctl.yaml` last, so that an interrupted run
/// can be repeated. `floor` is the ledger's high-water mark. Returns a line for each change.
base::Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                                   const list::ListConfig& list,
                                                   std::optional<std::int64_t> floor);

/// Switches a list to `numbers: at-reserve`: removes the include lines and the folder for pending
/// files. Fails with Exit::Findings if a revision is pending. Returns a line for each change.
base::Result<std::vector<std::string>> ToAtReserve(const Workspace& workspace,
                                                   const list::ListConfig& list);

}  // namespace revctl::commands
