#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/isolation/patience.h"
#include "harness/signals/pending.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/registry.h"

namespace harness {

struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;                          ///< how a person calls this harness
  std::string source_root;                      ///< findings give files relative to it
  std::string build_root;                       ///< what a relative __FILE__ is relative to
  bool thorough = false;                        ///< hostile input at every byte
  const std::set<std::string>* only = nullptr;  ///< root types to look at; null: all of them
  bool store = true;                            ///< also what belongs to no single type
  bool in_process = false;                      ///< CheckIsolated runs no child: for a debugger
  Patience patience;                            ///< with one golden or sample
  bool untold = false;                          ///< CheckResult::untold instead of findings
};

/// What looking at one root type at one revision cost.
struct CellCost {
  std::string type;
  std::string revision;  ///< empty: what belongs to the type as a whole
  double milliseconds = 0;
};

/// Files of this revision get upgrade code of their own, while all goldens of the root type are
/// older or newer ones.
struct Unshown {
  std::string type;
  std::string revision;
};

struct CheckResult {
  std::vector<Finding> findings;
  std::vector<std::vector<std::string>> at;  ///< of each finding: the revisions at which it holds
  std::vector<CellCost> costs;
  std::vector<Told> untold;  ///< findings of a part, to be folded with others'
  bool errors = false;
  std::vector<Pending> pending;                       ///< what `review` offers to accept
  std::vector<std::string> uncovered;                 ///< places for a baseline
  std::vector<Unshown> unshown;                       ///< what `record` adds goldens of
  std::size_t types = 0, revisions = 0, goldens = 0;  ///< what was looked at
};

/// Gives `result` the findings that were gathered.
void Tell(Verdicts& verdicts, CheckResult& result);

/// A file as __FILE__ gives it, below the source root without it.
std::string RelativeTo(const CheckOptions& options, const std::string& file);

/// Every signal over every type and every recorded revision.
CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& store, const CheckOptions& options);

}  // namespace harness
