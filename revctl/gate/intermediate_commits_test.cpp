#include "revctl/gate/intermediate_commits.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "revctl/findings/rule_texts.h"

TEST_CASE("line: each rule is checked midway, or says why not", "[line]") {
  std::vector<std::string> asked, known;
  for (const auto& one : revctl::commands::RulesOnTheWay()) {
    asked.emplace_back(one.rule);
    CHECK_FALSE(one.why.empty());
  }
  for (const auto& text : revctl::findings::RuleTexts()) {
    if (text.id.starts_with("RV") && !text.retired) known.emplace_back(text.id);
  }
  CHECK(asked == known);
}
