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

/// Serializes a folded result for a pipe between two processes of the same program. This is not a
/// file format.
std::string PackCheckResult(const CheckResult& result);
/// Parses the output of PackCheckResult. Returns nullopt if the bytes are invalid or truncated.
std::optional<CheckResult> UnpackCheckResult(const std::string& bytes);

}  // namespace revctl::harness
