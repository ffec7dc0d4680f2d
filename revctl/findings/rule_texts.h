#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

/// The description of a rule, for `explain RV001` and SARIF.
struct RuleText {
  std::string_view id;     ///< `RV001`
  std::string_view title;  ///< one line, without a period
  std::string_view why;    ///< the problem if the rule is broken, or why the rule is retired
  std::string_view mend;   ///< a command or edit that fixes it; empty if retired
  bool retired = false;    ///< no longer reported; the id is not reused
};

/// Returns all rules in ascending order: first RV (revision list), then GH (harness).
const std::vector<RuleText>& RuleTexts();

/// Returns the text of a rule, or null if there is no such id. Ignores case (`rv001`).
const RuleText* FindRuleText(std::string_view id);

/// Returns a rule's description for the terminal, on several lines.
std::string Described(const RuleText& rule);
/// Returns one line per rule.
std::string DescribedAll();

/// Returns the first and last ids: "RV001 to RV030 of the list, GH001 to GH009 of the harness".
std::string_view RuleRanges();

/// Returns the message for an unknown id, with the closest id and the command that lists all.
std::string NoSuchRule(std::string_view id);

namespace detail {
const std::vector<RuleText>& HarnessRuleTexts();
}  // namespace detail

}  // namespace revctl::findings
