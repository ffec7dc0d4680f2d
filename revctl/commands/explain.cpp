#include "revctl/list/explain.h"
#include "revctl/commands/command.h"
#include "revctl/commands/json_text.h"
#include "revctl/commands/session.h"

namespace revctl::commands {
namespace {

Outcome RunExplain(const Arguments& arguments, Session& session) {
  const std::string wanted = arguments.Value("RULE");
  if (wanted.empty()) {
    for (const list::RuleText& rule : list::RuleTexts())
      session.Out(std::string(rule.id) + "  " + std::string(rule.title) + "\n");
    return findings::Exit::Fine;
  }
  const list::RuleText* rule = list::FindRuleText(wanted);
  if (rule == nullptr) {
    return findings::Error{
        findings::Exit::Usage,
        wanted.substr(0, 40) + " is no rule of revctl's (those of the harness begin with GH)",
        "revctl explain"};
  }
  if (session.json()) {
    session.Out(JsonObject()
                    .Number("version", 1)
                    .Text("rule", rule->id)
                    .Text("title", rule->title)
                    .Text("why", rule->why)
                    .Text("mend", rule->mend)
                    .str() +
                "\n");
  } else {
    session.Out(std::string(rule->id) + ": " + std::string(rule->title) + "\n\nwhy:  " +
                std::string(rule->why) + "\nmend: " + std::string(rule->mend) + "\n");
  }
  return findings::Exit::Fine;
}

}  // namespace

Command ExplainCommand() {
  return {"explain",
          "what a rule means, why, how to mend it",
          "Without a rule: all of them, a line each.",
          "$ revctl explain RV006",
          {{"RULE", "RV001 to RV026", Positional::Count::Optional, Hint::Rule}},
          {},
          RunExplain};
}

}  // namespace revctl::commands
