#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/isolation/job.h"
#include "harness/signals/check_context.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// A child process that ended while it was writing samples.
struct OrderCrash {
  std::string step;    ///< the step as noted by Progress: `type\nwhat`
  std::string ending;  ///< ChildProcess::ending()
};

/// GH005: checks that a sample is written in the same way regardless of what ran before it. Child
/// processes write and read the hand-written samples and two automatic samples of each of `types`
/// at revision `latest`. One child uses the order of the types and another child the reverse order,
/// so that each pair of samples occurs in both orders. If a sample differs, more children find the
/// sample that influences it. If a step ends a child, the step is skipped. Returns the skipped
/// steps, because the caller knows whether they have already been reported. Uses only the registry
/// of `data`.
std::vector<OrderCrash> CheckSampleOrder(const JobData& data,
                                         const std::vector<const RootType*>& types,
                                         std::int64_t latest, const std::string& latest_name,
                                         const CheckOptions& options, Verdicts& verdicts);

}  // namespace revctl::harness
