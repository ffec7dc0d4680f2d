#pragma once
#include "harness/check.h"

namespace harness {

/// `Check` in a child process, since it runs bodies that may end theirs. Where one does, the types
/// are checked one by one, without the golden or sample that did it: one crash costs one case, and
/// is an error that names it.
CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options);

}  // namespace harness
