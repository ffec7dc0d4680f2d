#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/base/listener.h"
#include "revctl/base/result.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct ReserveFileRequest {
  std::string name;     ///< must have passed CheckRevisionName
  std::string comment;  ///< text of the entry's comment
  /// A name to add to the revision's `after` list, even if the file already exists. May be empty.
  std::string after;
  bool dry_run = false;
};

/// The pending file that acts as the reservation, and the provisional number of its revision.
struct ReservedFile {
  std::int64_t number = 0;
  std::string path;  ///< relative to the repository's root
};

/// Implements `reserve` for lists with `numbers: at-landing`: writes the pending file without
/// contacting a server. Fails with Exit::Findings if the name is taken.
base::Result<ReservedFile> ReserveAtLanding(const Workspace& workspace,
                                            const list::ListConfig& config,
                                            const ReserveFileRequest& request,
                                            const base::Listener& listener);

/// Implements `abandon` for lists with `numbers: at-landing`: removes the pending file unless it is
/// on the target. Pending revisions that named the abandoned revision in `after` inherit its
/// `after` list. Returns false if the revision is not pending.
base::Result<bool> AbandonAtLanding(const Workspace& workspace, const list::ListConfig& config,
                                    const std::string& name, const base::Listener& listener);

}  // namespace revctl::commands
