#include "harness/selftest/selftest.h"

#include <fmt/core.h>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "harness/commands/command.h"

namespace revctl::harness {

using base::Json;
namespace {

std::string Rate(const SelfTestTable::Cell& cell) {
  if (cell.places == 0) return "-";
  return fmt::format("{}%", cell.caught * 100 / cell.places);
}

const SelfTestTable::Cell& CellOf(const SelfTestTable::Row& row, Seen signal) {
  static const SelfTestTable::Cell kNone;
  const auto found = row.signals.find(signal);
  return found == row.signals.end() ? kNone : found->second;
}

constexpr std::size_t kMostMissed = 8, kMostCrashes = 16;

void PrintText(const std::vector<SelfTestTable::Row>& rows, const std::set<std::string>& by_chunk) {
  std::printf("%-22s %7s", "mutation", "places");
  for (const Seen signal : kSeen) std::printf(" %8s", Name(signal));
  std::printf(" %8s\n", "any");
  for (const auto& row : rows) {
    std::printf("%-22s %7zu", row.mutation.c_str(), row.any.places);
    for (const Seen signal : kSeen) std::printf(" %8s", Rate(CellOf(row, signal)).c_str());
    std::printf(" %8s\n", Rate(row.any).c_str());
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.missed.size() && i < kMostMissed; ++i)
      std::printf("%s%s: %s\n", i == 0 ? "\n" : "", ("not protected: " + row.mutation).c_str(),
                  row.missed[i].c_str());
    if (row.missed.size() > kMostMissed)
      std::printf("and %zu more\n", row.missed.size() - kMostMissed);
  }
  if (by_chunk.empty()) return;
  std::printf(
      "\nprotected by large goldens, but findings name only the chunk of a list, not the "
      "element:\n");
  std::size_t shown = 0;
  for (const std::string& place : by_chunk) {
    if (shown++ == kMostMissed) break;
    std::printf("%s\n", place.c_str());
  }
  if (by_chunk.size() > kMostMissed) std::printf("and %zu more\n", by_chunk.size() - kMostMissed);
}

Json CellJson(const SelfTestTable::Cell& cell) {
  return Json::Object().Set("places", cell.places).Set("caught", cell.caught);
}

Json TableJson(const std::vector<SelfTestTable::Row>& rows, const std::set<std::string>& by_chunk) {
  Json::List out;
  for (const auto& row : rows) {
    Json signals = Json::Object();
    for (const Seen signal : kSeen) signals.Set(Name(signal), CellJson(CellOf(row, signal)));
    out.push_back(Json::Object()
                      .Set("mutation", row.mutation)
                      .Set("signals", std::move(signals))
                      .Set("any", CellJson(row.any))
                      .Set("missed", Json::List(row.missed.begin(), row.missed.end())));
  }
  Json json = Json::Object().Set("version", 1).Set("rows", std::move(out));
  if (!by_chunk.empty()) json.Set("by_chunk", Json::List(by_chunk.begin(), by_chunk.end()));
  return json;
}

}  // namespace

Exit RunSelfTest(const Session& session, const SelfTestArguments& arguments) {
  if (!arguments.type.empty() && session.registry.Find(arguments.type) == nullptr)
    return Refuse(Exit::Usage, "no HARNESS_TYPE registers " + arguments.type);
  const golden::Store store = golden::Store::Open(session.golden);
  // Damaged goldens are not loaded, so the test would be incomplete.
  if (!store.problems().empty()) {
    const golden::Error& problem = store.problems().front();
    return Refuse(Exit::Findings, fmt::format("{}: {}", problem.file, problem.message),
                  session.program + " check");
  }
  const History history(*session.list, store);
  if (history.newest_recorded() == History::none())
    return Refuse(Exit::Usage, "nothing is recorded yet", session.program + " record");
  const SelfTestResult result =
      SelfTest(session.registry, history, {session.seed, arguments.type, arguments.most_goldens});
  const auto rows = result.table.Rows();
  for (std::size_t i = 0; i < result.crashes.size() && i < kMostCrashes; ++i)
    std::fprintf(stderr, "note: a mutation terminates the process: %s\n",
                 result.crashes[i].c_str());
  if (result.crashes.size() > kMostCrashes)
    std::fprintf(stderr, "note: and %zu more\n", result.crashes.size() - kMostCrashes);
  if (session.format == revctl::findings::Format::Json) {
    PrintJson(TableJson(rows, result.table.by_chunk()));
  } else {
    PrintText(rows, result.table.by_chunk());
  }
  return Exit::Fine;
}

}  // namespace revctl::harness
