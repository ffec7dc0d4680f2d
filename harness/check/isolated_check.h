#pragma once
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// `Check` in child processes, since it runs bodies that may end theirs: one a core, each with a
/// part of the types. Where one ends, its types are checked one by one, without the golden or
/// sample that did it: one crash costs one case, and is an error that names it. What is found is
/// the same as in one process, said in the same order.
CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options);

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
