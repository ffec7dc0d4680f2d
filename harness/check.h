#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/history.h"
#include "harness/registry.h"
#include "harness/verdicts.h"

namespace harness {

struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;      ///< how a person calls this harness
  std::string source_root;  ///< findings give files relative to it
  std::string build_root;   ///< what a relative __FILE__ is relative to
  bool thorough = false;    ///< hostile input at every byte
};

struct CheckResult {
  std::vector<Finding> findings;
  bool errors = false;
  std::size_t types = 0, revisions = 0, goldens = 0;  ///< what was looked at
};

/// Every signal over every type and every recorded revision.
CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& store, const CheckOptions& options);

}  // namespace harness
