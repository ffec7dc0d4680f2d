#pragma once
#include <string>

#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Implements `reserve` for `numbers: at-landing`: writes a pending file, which is the reservation,
/// without contacting a server. `comment` becomes the entry's comment. A non-empty `after` is added
/// to the revision's `after` list, even if the pending file exists already.
Outcome ReserveAtLanding(const Workspace& workspace, const list::ListConfig& config,
                         const std::string& name, const std::string& comment,
                         const std::string& after, bool dry_run, Session& session);

/// Implements `reserve --not-after`: removes `before` from the `after` list of the pending revision
/// `name`, for example to break a cycle.
Outcome TakeFromAfter(const Workspace& workspace, const list::ListConfig& config,
                      const std::string& name, const std::string& before, bool dry_run,
                      Session& session);

/// Implements `abandon` for `numbers: at-landing`: removes the pending file unless the target has
/// it. Pending revisions that named the abandoned one in `after` inherit its `after` list.
Outcome AbandonAtLanding(const Workspace& workspace, const list::ListConfig& config,
                         const std::string& name, Session& session);

}  // namespace revctl::commands
