#pragma once
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// Runs `Check` in a few child processes, each with a part of the types, because bodies may crash.
/// If a child crashes, its types are checked one by one without the golden or sample that caused
/// the crash, which is reported as an error. The findings and their order are the same as in a
/// single process.
CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options);

/// The result of a replay that did not crash.
enum class Replayed {
  Harmless,  ///< no process crashed
  Unknown,   ///< no step has that name
  Vanished,  ///< the step crashed in a child, but not in this process
};

/// Repeats the step `what` (such as `golden SR_A/auto-1`) of the check of root type `type`, which
/// crashed a child. Runs in this process, so that a debugger can attach. First runs children to
/// find out which earlier steps must be skipped.
Replayed Replay(const Registry& registry, const revctl::ListTable& list, const golden::Store& store,
                const CheckOptions& options, const std::string& type, const std::string& what);

}  // namespace revctl::harness
