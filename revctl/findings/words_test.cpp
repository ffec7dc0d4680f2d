// Texts that both programs share: rules, formats, output files, and suggestions.
#include <catch2/catch.hpp>

#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/rule_texts.h"

namespace revctl::findings {

TEST_CASE("rules: each has words, in order, and is found in any case", "[findings]") {
  std::string ids, expected;
  for (const RuleText& rule : RuleTexts()) {
    ids += std::string(rule.id) + " ";
    INFO(rule.id);
    CHECK((!rule.title.empty() && !rule.why.empty()));
    CHECK(rule.mend.empty() == rule.retired);
    CHECK(rule.title.starts_with("retired: ") == rule.retired);
    CHECK(FindRuleText(rule.id) == &rule);
  }
  const auto expect = [&](const std::string& letters, int count) {
    for (int i = 1; i <= count; ++i) {
      const std::string number = std::to_string(i);
      expected += letters + std::string(3 - number.size(), '0') + number + " ";
    }
  };
  expect("RV", 30);
  expect("GH", 9);
  CHECK(ids == expected);
  CHECK(FindRuleText("rv006") == &RuleTexts()[5]);
  CHECK(FindRuleText("gh001")->id == "GH001");
  CHECK(
      Described(*FindRuleText("RV026"))
          .starts_with("RV026: retired: upgrade code that a raised `oldest` makes dead\n\nwhy:  "));
  CHECK(FindRuleText("RV099") == nullptr);
  CHECK(FindRuleText("") == nullptr);
  CHECK(NoSuchRule("RV0011") == "there is no rule 'RV0011'; did you mean RV001?");
}

TEST_CASE("near misses: one slip in a short word, a third of a long one", "[findings]") {
  const std::vector<std::string> known = {"reserve", "release", "resolve", "list", "SR_BOSS"};
  CHECK(Nearest("resreve", known) == "reserve");
  CHECK(Nearest("lsit", known) == "list");
  CHECK(Nearest("sr_bos", known) == "SR_BOSS");
  CHECK(Nearest("frobnicate", known).empty());
  CHECK(Nearest("", known).empty());
  CHECK(Nearest(std::string(100'000, 'x'), known).empty());
  CHECK(DidYouMean("reserv", known) == "; did you mean reserve?");
  CHECK(DidYouMean("x", known).empty());
}

TEST_CASE("outputs: a plain file or a named format beside the log", "[findings]") {
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
  CHECK(told(Format::Text, {"sarif="}) == "--output 'sarif=' names no file");
  CHECK(told(Format::Text, {"a", "json=a"}) == "--output names 'a' twice");
}

}  // namespace revctl::findings
