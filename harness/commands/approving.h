#pragma once
#include <string>
#include <vector>

#include "harness/check/pending_folder.h"
#include "harness/commands/command.h"

namespace revctl::harness {

/// Whether CI is set: no person is there to decide.
bool UnderCi();

/// What is said there of approvals, with what to do instead.
Exit RefuseUnderCi(const Session& session);

/// Whether the text says anything.
bool IsReason(const std::string& reason);

/// What a person could accept now, as `check` finds it.
std::vector<Pending> PendingChanges(const Session& session);

/// The folder of this harness's pending changes.
PendingFolder FolderOf(const Session& session);

/// Writes the approval into the store, and takes it from the pending ones.
Exit Accept(const Session& session, const Pending& pending, const std::string& reason);

}  // namespace revctl::harness
