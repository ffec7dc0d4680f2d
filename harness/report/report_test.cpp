// Tests shards and merged reports. browser_test/ tests the HTML page.
#include "harness/report/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "harness/report/pages.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };
}

namespace reported {
struct One {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(One) { ADD(SR_INITIAL, hp); }
SERIALIZE_END
struct Two {
  std::string name;
};
SERIALIZE_TYPE(Two) { ADD(SR_INITIAL, name); }
SERIALIZE_END
struct Three {
  std::uint8_t small = 0;
};
SERIALIZE_TYPE(Three) { ADD(SR_INITIAL, small); }
SERIALIZE_END
}  // namespace reported

namespace revctl::harness::test {
namespace {

using Json = nlohmann::ordered_json;

Program Reported() {
  Program program(2);
  program.Type<reported::One>().Type<reported::Two>().Type<reported::Three>();
  return program;
}

const Folder& Recorded() {
  static const Folder folder;
  static const bool once = (Reported().Record(folder), true);
  (void)once;
  return folder;
}

/// Returns the report of a shard with a finding of each severity, whose texts contain `hostile`.
std::string ShardReport(const Shard& shard, const Costs& costs, const std::string& hostile = "") {
  const Program program = Reported();
  const revctl::golden::Store store = revctl::golden::Store::Open(Recorded().path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  std::vector<std::string> names;
  for (const RootType& root : program.registry.types) names.push_back(root.name);
  const auto types = TypesOf(shard, names, costs);
  CheckOptions options;
  options.program = "save_harness";
  options.only = types;
  CheckResult result = revctl::harness::Check(program.registry, list, store, options);
  if (!hostile.empty()) {
    Finding finding;
    finding.rule = RuleId::GoldenValue;
    finding.signal = "value";
    finding.type = hostile;
    finding.field = hostile;
    finding.message = hostile;
    result.findings.push_back(finding);
    result.at.push_back({hostile});
  }
  return ReportJson(
      {program.registry, list, history, result, shard, types, 10, 9, "2026-11-20 02:00 UTC"});
}

std::string WhyNot(const std::vector<std::pair<std::string, std::string>>& shards) {
  const auto joined = JoinReports(shards);
  REQUIRE_FALSE(joined);
  return joined.error().file + "|" + joined.error().message;
}

}  // namespace

TEST_CASE("shards: each type is in one shard, and costs are even", "[harness][report]") {
  std::vector<std::string> types;
  Costs costs;
  for (int i = 0; i < 100; ++i) {
    types.push_back("T" + std::to_string(i));
    costs[types.back()] = 1 + (i * 37) % 50;
  }
  for (std::size_t count : {1U, 2U, 3U, 7U, 150U}) {
    std::map<std::string, int> times;
    double most = 0, sum = 0;
    for (std::size_t index = 1; index <= count; ++index) {
      double load = 0;
      for (const std::string& type : TypesOf({index, count}, types, costs)) {
        ++times[type];
        load += costs[type];
      }
      most = std::max(most, load);
      sum += load;
    }
    CHECK(times.size() == types.size());
    for (const auto& [type, n] : times) CHECK(n == 1);
    CHECK(most <= sum / static_cast<double>(count) + 50);
  }
  // A type without a measured cost must be in a shard, too.
  costs.erase("T5");
  CHECK(TypesOf({1, 1}, types, costs).contains("T5"));
}

TEST_CASE("shards: rejects a malformed I/N", "[harness][report]") {
  CHECK(ParseShard("2/5")->index == 2);
  for (const char* wrong : {"", "/", "1", "0/5", "6/5", "-1/5", "1/5/", "1/0", "a/b",
                            "1/99999999999999999999", "1/20000", " 1/5"}) {
    INFO(wrong);
    CHECK_FALSE(ParseShard(wrong));
  }
}

TEST_CASE("report: merged shards equal the report of a whole sweep", "[harness][report]") {
  const Costs costs = {{"reported::One", 3}, {"reported::Two", 2}, {"reported::Three", 1}};
  const auto joined =
      JoinReports({{"b", ShardReport({2, 2}, costs)}, {"a", ShardReport({1, 2}, costs)}});
  if (!joined) FAIL(joined.error().message);
  const Json both = Json::parse(*joined), whole = Json::parse(ShardReport({1, 1}, costs));
  for (const char* key : {"revisions", "fields", "goldens", "list", "shard", "fingerprint"})
    CHECK(both[key] == whole[key]);
  CHECK(both["findings"].size() == whole["findings"].size());
  CHECK(both["covered"].size() == 3);
  CHECK(both["hostile"] == Json({20, 18}));
  for (std::size_t i = 0; i < whole["types"].size(); ++i) {
    INFO(whole["types"][i]["name"]);
    CHECK(both["types"][i]["name"] == whole["types"][i]["name"]);
    CHECK(both["types"][i]["goldens"] == whole["types"][i]["goldens"]);
    CHECK(both["types"][i]["costs"].size() == whole["types"][i]["costs"].size());
  }
  CHECK_FALSE(*HasErrors("x", *joined));
  CHECK(MeasuredCosts("x", *joined)->size() == 3);
}

TEST_CASE("report: merges only the complete shards of one sweep", "[harness][report]") {
  const Costs costs = {{"reported::One", 3}, {"reported::Two", 2}, {"reported::Three", 1}};
  const std::string first = ShardReport({1, 2}, costs), second = ShardReport({2, 2}, costs);
  CHECK(WhyNot({{"a", first}}) == "|shard 2/2 is missing");
  CHECK(WhyNot({{"a", first}, {"b", first}}) == "b|has the same shard number, 1, as a");
  CHECK(WhyNot({{"a", first}, {"b", ShardReport({2, 3}, costs)}}).find("its number of shards") !=
        std::string::npos);
  const Costs other = {{"reported::One", 1}, {"reported::Two", 2}, {"reported::Three", 9}};
  CHECK(WhyNot({{"a", first}, {"b", ShardReport({2, 2}, other)}})
            .find("split using different --costs") != std::string::npos);
  Json foreign = Json::parse(second);
  foreign["fingerprint"] = 7;
  CHECK(WhyNot({{"a", first}, {"b", foreign.dump()}}).find("its goldens") != std::string::npos);
  CHECK(WhyNot({}) == "|no report.json was given");
}

TEST_CASE("report: rejects damaged or hostile reports", "[harness][report]") {
  const std::string good = ShardReport({1, 1}, {});
  for (const char* wrong : {"", "{", "[]", "null", "{\"version\":1}",
                            "{\"version\":1,\"report\":\"sweep\",\"shard\":[0,0]}"}) {
    INFO(wrong);
    CHECK_FALSE(JoinReports({{"x", wrong}}));
    CHECK_FALSE(MeasuredCosts("x", wrong));
  }
  // Whichever key is removed or replaced, the functions must return a result, and must never throw.
  const Json report = Json::parse(good);
  for (const auto& [key, value] : report.items()) {
    for (const Json& other : {Json(), Json(-1), Json("text"), Json::array({Json::array({1})}),
                              Json::object({{"a", 1}})}) {
      Json damaged = report;
      if (other.is_null()) {
        damaged.erase(key);
      } else {
        damaged[key] = other;
      }
      (void)JoinReports({{"x", damaged.dump()}});
      (void)MeasuredCosts("x", damaged.dump());
      (void)HasErrors("x", damaged.dump());
    }
  }
}

TEST_CASE("report: rejects a report with a damaged part", "[harness][report]") {
  const Json report = Json::parse(ShardReport({1, 1}, {}, "hostile"));
  REQUIRE(*HasErrors("x", report.dump()));
  for (const auto& [place, other] : std::initializer_list<std::pair<const char*, Json>>{
           {"/findings/0/severity", "ERROR"},
           {"/findings/0/message", 1},
           {"/findings/0/revisions", "all"},
           {"/types/0/kind", "rooT"},
           {"/types/0/layouts", 7},
           {"/types/0/layouts/0/0", 99},
           {"/types/0/layouts/0/1/0", 1000000},
           {"/types/0/goldens/0", Json({0, 1})},
           {"/types/0/costs/0/0", 99},
           {"/revisions/0/changes", Json({Json::array({"+"})})},
           {"/fields/0", nullptr},
           {"/covered/0", 1},
           {"/when", 1}}) {
    INFO(place);
    Json damaged = report;
    REQUIRE(damaged.contains(Json::json_pointer(place)));
    damaged[Json::json_pointer(place)] = other;
    const auto joined = JoinReports({{"x", damaged.dump()}});
    REQUIRE_FALSE(joined);
    CHECK(joined.error().message == "is not the report.json of a sweep");
    CHECK_FALSE(joined.error().fix.empty());
    CHECK_FALSE(HasErrors("x", damaged.dump()));
  }
}

TEST_CASE("report: does not merge shards with different types", "[harness][report]") {
  const Costs costs = {{"reported::One", 3}, {"reported::Two", 2}, {"reported::Three", 1}};
  const std::string first = ShardReport({1, 2}, costs);
  Json second = Json::parse(ShardReport({2, 2}, costs));
  REQUIRE(JoinReports({{"a", first}, {"b", second.dump()}}));
  second["types"][0]["kind"] = "gone";
  CHECK(WhyNot({{"a", first}, {"b", second.dump()}}).find("its types") != std::string::npos);
}

TEST_CASE("report: page is self-contained and escapes hostile names", "[harness][report]") {
  const std::string hostile = "</script><img src=x onerror=alert(1)>&\"'\xff@STYLE@@SCRIPT@";
  const std::string page = ReportPage(ShardReport({1, 1}, {}, hostile));
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("\\u003c/script\\u003e\\u003cimg") != std::string::npos);
  // The page has two script elements, one for the code and one for the data. Each must be closed
  // once.
  std::size_t closed = 0;
  for (auto at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1))
    ++closed;
  CHECK(closed == 2);
  const std::string clean = ReportPage(ShardReport({1, 1}, {}));
  for (const char* reference :
       {"http://", "https://", " src=", "@import", "url(", "<link", "<iframe"}) {
    INFO(reference);
    auto at = clean.find(reference);
    // The SVG namespace is not a reference.
    if (at != std::string::npos && clean.compare(at, 26, "http://www.w3.org/2000/svg") == 0) {
      at = clean.find(reference, at + 1);
    }
    CHECK(at == std::string::npos);
  }
  CHECK(page.find("Content-Security-Policy") != std::string::npos);
  CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
}

}  // namespace revctl::harness::test
