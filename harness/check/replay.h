#pragma once
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// How running one golden or sample again has ended, where the process lives to say so.
enum class Replayed {
  Harmless,  ///< it ends no process
  Unknown,   ///< nothing of that name is run
  Vanished,  ///< it ended a child, but not this process
};

/// Runs root type `type` in this process just as a child of CheckIsolated did that ended at `what`
/// (`golden SR_A/auto-1`), without what had ended others before: so that a debugger sees where.
/// Children find out what that was.
Replayed Replay(const Registry& registry, const revctl::ListTable& list, const golden::Store& store,
                const CheckOptions& options, const std::string& type, const std::string& what);

}  // namespace revctl::harness
