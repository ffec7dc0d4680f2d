#pragma once
#include <cstdint>
#include <set>
#include <string>

#include <revctl/list_table.h>

#include "golden/result.h"
#include "harness/check/check.h"
#include "harness/report/shards.h"

namespace revctl::harness {

/// The input for `report.json` of a sweep or a shard. The HTML page is generated from that file.
/// The files of all shards can be merged. docs/guide/sweep.md describes the keys.
struct ReportInput {
  const Registry& registry;
  const revctl::ListTable& list;
  const History& history;
  const CheckResult& result;
  Shard shard;
  std::set<std::string> types;  ///< root types of this shard
  /// number of hostile inputs, and how many of them were rejected
  std::uint64_t inputs = 0, refused = 0;
  std::string when;  ///< time such as `2026-11-20 02:00 UTC`
};

std::string ReportJson(const ReportInput& input);

}  // namespace revctl::harness
