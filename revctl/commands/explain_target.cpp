#include "revctl/commands/explain_target.h"

#include <fmt/core.h>

#include "revctl/findings/printable.h"

namespace revctl::commands {
namespace {

/// Returns the merge base that the gate will use for `request`.
Result<std::optional<git::Oid>> BaseOf(const GateRequest& request,
                                       const std::optional<git::Oid>& head) {
  if (request.base || !request.target.tip || !head) return request.base;
  return request.repository().MergeBase(*head, *request.target.tip);
}

}  // namespace

Outcome ExplainTarget(const Workspace& workspace, Session& session, const GateRequest& request,
                      const CheckTarget& target, bool fetched) {
  TRY(const auto head, request.tree.Head());
  TRY(const auto base, BaseOf(request, head));
  const CiChange& ci = target.ci;
  const bool work_tree = request.tree.IsWorkTree();
  const std::string base_why =
      request.base       ? "--base names it"
      : base.has_value() ? "the last commit that the change shares with the target"
                         : "unknown: change and target have no common ancestor in this clone";
  const std::string rules = request.Is(Mode::Release) ? "release" : "landing";
  const std::string ledger_state =
      workspace.remote().empty() ? "of this clone, which has no remote"
      : fetched                  ? fmt::format("of {}, fetched now", workspace.remote())
                                 : fmt::format("of {}, as of the last fetch", workspace.remote());
  if (session.json()) {
    session.OutJson(
        Json::Object()
            .Set("version", 1)
            .Set("ci", Json::Object().Set("system", ci.system).Set("event", ci.event))
            .Set("judged", Json::Object()
                               .Set("what", work_tree ? "work tree" : "commit")
                               .Set("commit", head.value_or("")))
            .Set("target", Json::Object()
                               .Set("branch", target.branch)
                               .Set("name", request.target.label)
                               .Set("commit", request.target.tip.value_or(""))
                               .Set("why", target.why))
            .Set("base", Json::Object().Set("commit", base.value_or("")).Set("why", base_why))
            .Set("rules", rules)
            .Set("ledger", Json::Object()
                               .Set("ref", workspace.config().ledger)
                               .Set("remote", workspace.remote())
                               .Set("fetched", fetched)));
    return base::Exit::Fine;
  }
  const auto line = [&](const std::string& key, const std::string& text) {
    session.Out(fmt::format("{:<9}{}\n", key, findings::OneLine(text)));
  };
  line("ci", ci.system.empty() ? "not recognized"
                               : ci.system + (ci.event.empty() ? "" : ", event " + ci.event));
  line("checked", (work_tree ? "the work tree at " : "the commit ") +
                      head.value_or("no commit").substr(0, 10));
  line("target", fmt::format("{} ({}): {}", request.target.Text(), target.branch, target.why));
  line("base", (base.has_value() ? base.value().substr(0, 10) + ": " : "") + base_why);
  line("rules", rules == "release"
                    ? "a release: every revision must be on " + request.release_of->label
                    : "a landing on " + target.branch);
  line("policy",
       request.target.tip ? ".revctl.yaml in the target" : ".revctl.yaml in the work tree");
  line("ledger", workspace.config().ledger + " " + ledger_state);
  return base::Exit::Fine;
}

}  // namespace revctl::commands
