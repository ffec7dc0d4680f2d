#include "revctl/commands/table.h"
#include "revctl/findings/rule_table.h"
#include "revctl/session/session.h"

namespace revctl::commands {
namespace {

Outcome RunExplain(const Arguments& arguments, Session& session) {
  const std::string wanted = arguments.Value("RULE");
  if (wanted.empty()) {
    session.Out(findings::DescribedAll());
    return base::Exit::Fine;
  }
  const findings::Rule* rule = findings::FindRule(wanted);
  if (rule == nullptr)
    return base::Error{base::Exit::Usage, findings::NoSuchRule(wanted), "revctl explain"};
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("rule", rule->name)
                        .Set("title", rule->title)
                        .Set("why", rule->why)
                        .Set("fix", rule->how_to_fix)
                        .Set("retired", rule->Is(findings::Rule::kRetired)));
  } else {
    session.Out(findings::Described(*rule));
  }
  return base::Exit::Fine;
}

}  // namespace

Command ExplainCommand() {
  return {{"explain",
           "explain a rule: meaning, reason and fix",
           "Without a rule, it lists all rules, one per line.",
           "$ revctl explain RV006",
           {{"RULE", findings::RuleRanges(), Positional::Count::Optional, Hint::Rule}},
           {}},
          RunExplain};
}

}  // namespace revctl::commands
