// Tests strings that revctl and the harness share: rules, formats, output files and suggestions.
#include <fmt/core.h>
#include <catch2/catch.hpp>

#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings {

TEST_CASE("rules: have texts, are sorted, and are found in upper and lower case", "[findings]") {
  std::string letters;
  std::size_t number = 0;
  for (const Rule& rule : Rules()) {
    INFO(rule.name);
    CHECK(&RuleOf(rule.id) == &rule);
    number = rule.name.starts_with(letters) && !letters.empty() ? number + 1 : 1;
    letters = rule.name.substr(0, 2);
    CHECK(rule.name == fmt::format("{}{:03}", letters, number));
    CHECK((!rule.title.empty() && !rule.why.empty()));
    CHECK(rule.how_to_fix.empty() == rule.Is(Rule::kRetired));
    CHECK(rule.title.starts_with("retired: ") == rule.Is(Rule::kRetired));
    CHECK(FindRule(rule.name) == &rule);
  }
  CHECK(RuleRanges().starts_with("RV001 to RV"));
  CHECK(RuleRanges().find(" for the list, GH001 to GH") != std::string_view::npos);
  CHECK(NameOf(RuleId::None).empty());
  CHECK(FindRule("rv006") == &Rules()[5]);
  CHECK(FindRule("gh001")->id == RuleId::Layout);
  CHECK(Described(*FindRule("RV026"))
            .starts_with(
                "RV026: retired: upgrade code that is dead because `oldest` was raised\n\nwhy:  "));
  CHECK(FindRule("RV099") == nullptr);
  CHECK(FindRule("") == nullptr);
  CHECK(NoSuchRule("RV0011") == "there is no rule 'RV0011'; did you mean RV001?");
}

TEST_CASE("near misses: one typo in a short word, a third of the letters in a long word",
          "[findings]") {
  const std::vector<std::string> known = {"reserve", "release", "list", "SR_BOSS"};
  CHECK(Nearest("resreve", known) == "reserve");
  CHECK(Nearest("lsit", known) == "list");
  CHECK(Nearest("sr_bos", known) == "SR_BOSS");
  CHECK(Nearest("frobnicate", known).empty());
  CHECK(Nearest("", known).empty());
  CHECK(Nearest(std::string(100'000, 'x'), known).empty());
  CHECK(DidYouMean("reserv", known) == "; did you mean reserve?");
  CHECK(DidYouMean("x", known).empty());
}

TEST_CASE("outputs: a plain file or a named format in addition to the log", "[findings]") {
  const auto told = [](Format format, const std::vector<std::string>& given) {
    const auto outputs = ParseOutputs(format, given);
    if (!outputs.ok()) return outputs.error().message;
    std::string out = std::to_string(static_cast<int>(outputs->on_stdout));
    for (const auto& file : outputs->files)
      out += " " + std::to_string(static_cast<int>(file.format)) + ":" + file.path;
    return out;
  };
  CHECK(told(Format::Json, {}) == "1");
  CHECK(told(Format::Sarif, {"a.sarif"}) == "0 4:a.sarif");
  CHECK(told(Format::GitHub, {"sarif=a.sarif", "junit=b.xml"}) == "2 4:a.sarif 5:b.xml");
  CHECK(told(Format::GitLab, {"a.json", "junit=b.xml"}) == "0 3:a.json 5:b.xml");
  CHECK(told(Format::Text, {"odd=name"}) == "0 0:odd=name");
  CHECK(told(Format::Text, {"sarif="}) == "--output 'sarif=' does not name a file");
  CHECK(told(Format::Text, {"a", "json=a"}) == "--output names 'a' twice");
}

}  // namespace revctl::findings
