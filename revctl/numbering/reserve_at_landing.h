#pragma once
#include <string>

#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// `reserve` where numbers are given at landing: the pending file is the reservation, so that no
/// server is asked. `comment` is what the entry will say; `after`, where it is not empty, is added
/// to what it comes after, also of one that is there already.
Outcome ReserveAtLanding(const Workspace& workspace, const list::ListConfig& config,
                         const std::string& name, const std::string& comment,
                         const std::string& after, bool dry_run, Session& session);

/// `reserve --not-after`: the pending revision `name` comes after `before` no more. That opens a
/// circle.
Outcome TakeFromAfter(const Workspace& workspace, const list::ListConfig& config,
                      const std::string& name, const std::string& before, bool dry_run,
                      Session& session);

/// `abandon` there: takes the pending file away where the target does not have it. What came after
/// it comes after what it came after.
Outcome AbandonAtLanding(const Workspace& workspace, const list::ListConfig& config,
                         const std::string& name, Session& session);

}  // namespace revctl::commands
