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

/// What a sweep, or one shard of it, found: `report.json`, from which the page is made and which
/// shards are joined from. docs/guide/sweep.md has its keys.
struct ReportInput {
  const Registry& registry;
  const revctl::ListTable& list;
  const History& history;
  const CheckResult& result;
  Shard shard;
  std::set<std::string> types;            ///< root types of this shard
  std::uint64_t inputs = 0, refused = 0;  ///< hostile ones
  std::string when;                       ///< `2026-11-20 02:00 UTC`
};

std::string ReportJson(const ReportInput& input);

/// The report as one HTML page without any reference to elsewhere. `json` is what ReportJson or
/// JoinReports gave.
std::string ReportPage(const std::string& json);

}  // namespace revctl::harness
