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

/// GH005: the bytes of a sample must not depend on earlier samples. Child processes write and read
/// the registered samples and two automatic samples of each of `types` at revision `latest`: one
/// child in order, one in reverse order, so that each pair of samples occurs in both orders. If a
/// sample differs, further children find the sample that changes it. Steps that crash a child are
/// left out and returned, because the caller knows whether they have been reported.
std::vector<OrderCrash> CheckSampleOrder(const std::vector<const RootType*>& types,
                                         std::int64_t latest, const std::string& latest_name,
                                         const CheckOptions& options, Verdicts& verdicts);

}  // namespace revctl::harness
