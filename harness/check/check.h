#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/signals/check_context.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// What looking at one root type at one revision cost.
struct CellCost {
  std::string type;
  std::string revision;  ///< empty: what belongs to the type as a whole
  double milliseconds = 0;
};

struct CheckResult {
  std::vector<Finding> findings;
  std::vector<std::vector<std::string>> at;  ///< of each finding: the revisions at which it holds
  std::vector<CellCost> costs;
  std::vector<FoldedFinding> folded;  ///< findings of a part, to be folded with others'
  bool errors = false;
  std::vector<Pending> pending;                       ///< what `review` offers to accept
  std::vector<std::string> uncovered;                 ///< places for a baseline
  std::vector<UntestedUpgrade> untested;              ///< what `record` adds goldens of
  std::size_t types = 0, revisions = 0, goldens = 0;  ///< what was looked at
};

/// Gives `result` the findings that were gathered.
void Tell(Verdicts& verdicts, CheckResult& result);

/// Every signal over every type and every recorded revision.
CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& store, const CheckOptions& options);

/// A folded result as bytes, for a pipe between a program and itself: not a format, nothing is
/// kept in it.
std::string PackCheckResult(const CheckResult& result);
/// Nothing where the bytes are none, or not whole.
std::optional<CheckResult> UnpackCheckResult(const std::string& bytes);

}  // namespace revctl::harness
