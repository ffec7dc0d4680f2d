#include "revctl/landing/plan.h"

#include "revctl/git/history.h"
#include "revctl/landing/fold_branch.h"
#include "revctl/landing/push.h"
#include "revctl/landing/steps.h"
#include "revctl/numbering/renumber_list.h"
#include "revctl/setup/installation.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

/// Returns a note about the files in which git predicts merge conflicts, such as "; expect
/// conflicts in src/a.cpp", or "" if it predicts none. A rebase applies one commit at a time and
/// may stop at different conflicts.
Result<std::string> Foreseen(const Landing& landing) {
  const std::string driver = Installation(landing.workspace, landing.program).DriverSetting();
  TRY(const auto paths,
      git::PredictConflicts(landing.repository(), driver, landing.state.head, landing.target()));
  if (paths.empty()) return std::string();
  return "; expect conflicts in " + SomeOf(paths);
}

Result<std::vector<std::string>> Moves(const Landing& landing) {
  std::vector<std::string> out;
  for (const auto& list : landing.workspace.config().lists) {
    TRY(auto renumbered, RenumberList(landing.workspace, list, {.dry_run = true}, {}));
    for (const std::string& line : MoveLines(renumbered)) out.push_back("number " + line);
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> PlanLanding(const Landing& landing) {
  const Workspace& workspace = landing.workspace;
  const bool rebase = landing.policy.by == config::LandPolicy::By::Rebase;
  std::vector<std::string> steps;
  TRY(auto joined, landing.repository().IsAncestor(landing.target(), landing.state.head));
  if (!joined) {
    TRY(auto foreseen, Foreseen(landing));
    const std::string branch = landing.state.branch, target = landing.TargetText();
    steps.push_back(rebase ? fmt::format("rebase {} onto {}{}", branch, target, foreseen)
                           : fmt::format("merge {} into {}{}", target, branch, foreseen));
  }
  TRY(auto moves, Moves(landing));
  steps.insert(steps.end(), moves.begin(), moves.end());
  TRY(auto found, CheckHead(landing));
  if (AsksForGoldens(found))
    steps.push_back(
        landing.policy.goldens.empty()
            ? "stop: goldens must be recorded again, but `land:` has no `goldens` command"
            : "run goldens: " + landing.policy.goldens);
  TRY(const auto numbers, NumbersOfFold(landing));
  if (!numbers.empty()) steps.push_back("fold " + numbers);
  steps.emplace_back("check");
  if (!landing.policy.verify.empty()) steps.push_back("run verify: " + landing.policy.verify);
  if (landing.policy.push == config::LandPolicy::Push::Branch) {
    TRY(auto branch, PullRequestBranch(landing));
    steps.push_back(fmt::format("push {}/{} for a pull request", branch.remote, branch.name));
  } else {
    steps.push_back("push to " + workspace.TargetLabel());
  }
  return steps;
}

}  // namespace revctl::commands
