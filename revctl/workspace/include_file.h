#pragma once
#include <string>
#include <vector>

#include "revctl/list/reading/list_config.h"
#include "revctl/pending/plan.h"
#include "revctl/session/session.h"

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

/// The include file is there, and is not what WriteInclude would write: a pull without hooks has
/// left it as it was.
base::Result<bool> IncludeIsStale(const std::string& root, const list::ListConfig& list);
/// What `check` and `status` say then.
inline constexpr const char* kStaleInclude =
    "the compiler sees other pending revisions than this tree has";

}  // namespace revctl::commands
