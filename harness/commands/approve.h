#pragma once
#include <string>
#include <vector>

#include "harness/check/pending_folder.h"
#include "harness/commands/session.h"

namespace revctl::harness {

/// Whether CI is set: no person is there to decide.
bool UnderCi();

/// Whether the text says anything.
bool IsReason(const std::string& reason);

/// The folder of this harness's pending changes.
PendingFolder FolderOf(const Session& session);

}  // namespace revctl::harness
