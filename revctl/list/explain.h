#pragma once
#include <string_view>
#include <vector>

namespace revctl::list {

/// What `revctl explain RV001` prints: one rule of the gate in words.
struct RuleText {
  std::string_view id;     ///< `RV001`
  std::string_view title;  ///< one line, no full stop
  std::string_view why;    ///< what goes wrong where the rule is broken
  std::string_view mend;   ///< the command, or the edit, that mends it
};

/// RV001 to RV028, ascending.
const std::vector<RuleText>& RuleTexts();

/// The text of one rule; null where there is no such id. Case does not matter (`rv001`).
const RuleText* FindRuleText(std::string_view id);

}  // namespace revctl::list
