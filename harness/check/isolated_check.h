#pragma once
#include "harness/check/check.h"

namespace revctl::harness {

/// `Check` in child processes, since it runs bodies that may end theirs: one a core, each with a
/// part of the types. Where one ends, its types are checked one by one, without the golden or
/// sample that did it: one crash costs one case, and is an error that names it. What is found is
/// the same as in one process, said in the same order.
CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options);

}  // namespace revctl::harness
