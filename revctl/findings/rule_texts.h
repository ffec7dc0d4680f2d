#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

/// One rule in words: what `explain RV001` prints, and what SARIF says of it.
struct RuleText {
  std::string_view id;     ///< `RV001`
  std::string_view title;  ///< one line, no full stop
  std::string_view why;    ///< what goes wrong where the rule is broken; why the rule is retired
  std::string_view mend;   ///< the command, or the edit, that mends it; empty if retired
  bool retired = false;    ///< nothing reports the rule any more, and its id is not used again
};

/// All rules, ascending: RV of the revision list first, then GH of the harness.
const std::vector<RuleText>& RuleTexts();

/// The text of one rule; null where there is no such id. Case does not matter (`rv001`).
const RuleText* FindRuleText(std::string_view id);

/// One rule for a person, several lines.
std::string Described(const RuleText& rule);
/// Every rule, a line each.
std::string DescribedAll();

/// "RV001 to RV030 of the list, GH001 to GH009 of the harness": the first and last ids.
std::string_view RuleRanges();

/// The error for an id that is no rule: it names the nearest one, and the command that lists all.
std::string NoSuchRule(std::string_view id);

namespace detail {
/// The rules of the harness (rule_texts_harness.cpp).
const std::vector<RuleText>& HarnessRuleTexts();
}  // namespace detail

}  // namespace revctl::findings
