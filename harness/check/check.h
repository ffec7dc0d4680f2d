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

/// The time spent on a root type at one revision.
struct CellCost {
  std::string type;
  std::string revision;  ///< empty for work on the type as a whole
  double milliseconds = 0;
};

struct CheckResult {
  std::vector<Finding> findings;
  std::vector<std::vector<std::string>> at;  ///< for each finding, the revisions at which it occurs
  std::vector<CellCost> costs;
  /// findings for a subset of the types, to be merged with those of the other subsets
  std::vector<FoldedFinding> folded;
  bool errors = false;
  std::vector<Pending> pending;                       ///< changes that `review` offers for approval
  std::vector<std::string> uncovered;                 ///< places that a baseline would list
  std::vector<UntestedUpgrade> untested;              ///< upgrades for which `record` adds goldens
  std::size_t types = 0, revisions = 0, goldens = 0;  ///< numbers of objects checked
};

/// Moves the findings in `verdicts` into `result`.
void Tell(Verdicts& verdicts, CheckResult& result);

/// Runs every signal for every type and recorded revision.
CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& store, const CheckOptions& options);

/// Serializes a folded result for a pipe between two processes of the same program. This is not a
/// file format.
std::string PackCheckResult(const CheckResult& result);
/// Parses the output of PackCheckResult. Returns nullopt if the bytes are invalid or truncated.
std::optional<CheckResult> UnpackCheckResult(const std::string& bytes);

}  // namespace revctl::harness
