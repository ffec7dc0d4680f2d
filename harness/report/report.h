#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <revctl/list_table.h>

#include "golden/result.h"
#include "harness/check/check.h"
#include "harness/report/shards.h"

namespace revctl::harness {

/// The input for `report.json` of a sweep or of one shard. The page is generated from that file,
/// and shards are merged from it. docs/guide/sweep.md describes its keys.
struct ReportInput {
  const Registry& registry;
  const revctl::ListTable& list;
  const History& history;
  const CheckResult& result;
  Shard shard;
  std::set<std::string> types;            ///< root types of this shard
  std::uint64_t inputs = 0, refused = 0;  ///< hostile inputs
  std::string when;                       ///< `2026-11-20 02:00 UTC`
};

std::string ReportJson(const ReportInput& input);

/// Returns the report as a self-contained HTML page. `json`: the result of ReportJson or
/// JoinReports.
std::string ReportPage(const std::string& json);

}  // namespace revctl::harness
