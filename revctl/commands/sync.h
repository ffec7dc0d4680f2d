#pragma once
#include <string>
#include <vector>

#include "revctl/commands/session.h"
#include "revctl/list/list_config.h"
#include "revctl/pending/plan.h"

namespace revctl::commands {

/// What a list's pending files come to, and whether its include file had to be written.
struct Synced {
  list::RevisionList list;  ///< by itself
  pending::Plan plan;
  bool written = false;
};

/// Writes the include file of a list with `numbers: at-landing`, where it would change; `root` is
/// the folder of `.revctl.yaml`. Needs no repository: a source archive builds, too. It is written
/// when it is empty as well, and never deleted: builds go wrong where a header comes and goes.
base::Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list);

}  // namespace revctl::commands
