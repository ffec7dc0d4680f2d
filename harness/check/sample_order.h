#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/signals/check_context.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// A child process that ended while it wrote samples.
struct OrderCrash {
  std::string step;    ///< as Progress notes it: `type\nwhat`
  std::string ending;  ///< ChildProcess::ending()
};

/// GH005: samples are written alike whatever ran before them. Child processes write and read the
/// samples by hand and two automatic samples of each of `types` at revision `latest`: one child in
/// order, one in reverse, so that each pair of samples is seen in both orders. If a sample differs,
/// further children find the sample that changes it. The samples of a step that ends a child are
/// left out; returns these steps, because the caller knows whether they have been reported.
std::vector<OrderCrash> CheckSampleOrder(const std::vector<const RootType*>& types,
                                         std::int64_t latest, const std::string& latest_name,
                                         const CheckOptions& options, Verdicts& verdicts);

}  // namespace revctl::harness
