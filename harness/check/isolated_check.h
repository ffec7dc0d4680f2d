#pragma once
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// Runs `Check` in child processes, one per core, each with a part of the types, because bodies may
/// crash. If a child crashes, its types are checked one by one without the golden or sample that
/// caused it, which becomes an error. Findings and their order are the same as in one process.
CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options);

/// Result of a replay that did not crash.
enum class Replayed {
  Harmless,  ///< no process crashed
  Unknown,   ///< no step has that name
  Vanished,  ///< it crashed in a child, but not in this process
};

/// Repeats in this process the check of root type `type` that crashed a child at `what` (`golden
/// SR_A/auto-1`), so that a debugger can attach. Children first find out which earlier steps have
/// to be skipped.
Replayed Replay(const Registry& registry, const revctl::ListTable& list, const golden::Store& store,
                const CheckOptions& options, const std::string& type, const std::string& what);

}  // namespace revctl::harness
