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

/// Larger files are no reports.
constexpr std::size_t kLargestReport = 1U << 28;

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

/// One report of all shards, each a pair of its file's name and its text. A shard that is missing,
/// twice there, or made of another list, store or split is a problem: a sweep of nearly everything
/// is no sweep.
golden::Result<std::string> JoinReports(
    const std::vector<std::pair<std::string, std::string>>& shards);

/// Whether the report has an error among its findings; a problem where `text` is no report.
golden::Result<bool> HasErrors(const std::string& file, const std::string& text);

/// What each root type cost in an earlier sweep.
golden::Result<Costs> MeasuredCosts(const std::string& file, const std::string& text);

/// The report as one HTML page without any reference to elsewhere. `json` is what ReportJson or
/// JoinReports gave.
std::string ReportPage(const std::string& json);

}  // namespace revctl::harness
