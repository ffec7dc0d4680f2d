#pragma once
#include <vector>

#include "revctl/commands/gate.h"
#include "revctl/list/revision_list.h"

namespace revctl::commands {

/// RV021, RV022: what the sources do with the list, by reading them (no compiler).
findings::Result<findings::Done> JudgeUse(const GateRequest& request, const list::ListConfig& config, const list::RevisionList& list,
                                          const std::vector<const list::Entry*>& pending, std::vector<findings::Finding>& out);

}  // namespace revctl::commands
