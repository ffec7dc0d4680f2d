// The gate within a landing, and what mends its findings without a person.
#include <algorithm>

#include "revctl/gate/gate.h"
#include "revctl/gate/intermediate_commits.h"
#include "revctl/landing/steps.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {

using findings::Finding;
using findings::Severity;

namespace {

/// What `renumber` always mends.
constexpr std::string_view kOfNumbers[] = {"RV001", "RV006", "RV007", "RV011", "RV012"};

GateRequest RequestOf(const Landing& landing) {
  GateRequest request(landing.repository(), landing.workspace.GitPath(""),
                      FileTree::Commit(landing.repository(), landing.state.head));
  request.target = landing.target();
  request.target_label = landing.workspace.TargetLabel();
  return request;
}

bool IsError(const Finding& finding) { return finding.severity == Severity::Error; }

/// What was done to a landed line is put right by `renumber`, too, where the finding says so.
bool IsOfNumbers(const Finding& finding) {
  const bool always =
      std::find(std::begin(kOfNumbers), std::end(kOfNumbers), finding.rule) != std::end(kOfNumbers);
  const bool landed = (finding.rule == "RV003" || finding.rule == "RV004") &&
                      finding.fix.starts_with("revctl renumber");
  return IsError(finding) && (always || landed);
}

/// Is there an error that neither numbers nor goldens mend?
bool NeedsAPerson(const std::vector<Finding>& found) {
  return std::any_of(found.begin(), found.end(), [](const Finding& f) {
    return IsError(f) && f.rule != "RV028" && !IsOfNumbers(f);
  });
}

Result<Done> RefreshGoldens(Landing& landing) {
  const git::Repository& repository = landing.repository();
  const std::vector<std::string> folders = GoldenFolders(landing.workspace);
  TRY(auto before, ChangesOf(repository, folders));
  if (!before.untracked.empty())
    return Error{Exit::Usage,
                 "goldens have to be recorded again, and files that git does not know lie among "
                 "them: " +
                     SomeOf(before.untracked),
                 "git add and commit them, or move them away, then revctl land"};
  auto noted = SaveLandState(landing, LandState::Phase::Goldens);
  if (!noted.ok()) return noted;
  auto ran = RunLine(landing, "goldens", landing.policy.goldens);
  if (!ran.ok()) return ran;
  TRY(auto after, ChangesOf(repository, folders));
  std::vector<std::string> outside;
  for (const std::string& path : after.tracked) {
    if (!LiesIn(path, folders)) outside.push_back(path);
  }
  if (!outside.empty())
    return Error{
        Exit::Findings,
        "the `goldens` command changed files outside the golden folder: " + SomeOf(outside),
        "look at git diff; put them back or commit them, then revctl land"};
  if (!after.tracked.empty() || !after.untracked.empty()) {
    std::vector<std::string> changed = after.tracked;
    changed.insert(changed.end(), after.untracked.begin(), after.untracked.end());
    std::sort(changed.begin(), changed.end());
    std::string message =
        fmt::format("Goldens recorded again for landing\n\n{} changes types that they hold.\n",
                    landing.TargetText());
    for (const std::string& path : changed) message += "\n" + path;
    auto made = CommitPaths(repository, changed, message);
    if (!made.ok()) return made;
    landing.unjoined.reset();  // what was built is not thrown away
  }
  return SaveLandState(landing, LandState::Phase::Idle);
}

/// Another change has landed, and a fetch since the landing's own has brought it: that of
/// `renumber`, or the user's.
Result<bool> TargetMoved(const Landing& landing) {
  auto now =
      landing.repository().Resolve(landing.workspace.OpenLedger(landing.session).TargetRef());
  if (!now.ok()) return now.error();
  return *now && **now != landing.target();
}

}  // namespace

std::vector<std::string> GoldenFolders(const Workspace& workspace) {
  std::vector<std::string> out;
  for (const auto& list : workspace.config().lists) {
    if (!list.golden.empty()) out.push_back(workspace.GitPath(list.golden));
  }
  return out;
}

bool AsksForGoldens(const std::vector<Finding>& found) {
  return std::any_of(found.begin(), found.end(), [](const Finding& f) {
    return f.rule == "RV028" && f.severity == Severity::Error;
  });
}

Result<std::vector<Finding>> CheckHead(const Landing& landing) {
  // Numbers may have been confirmed since the fetch; what has landed stays as it was fetched.
  TRY(auto known, landing.workspace.OpenLedger(landing.session).Cached());
  GateRequest request = RequestOf(landing);
  request.ledger = &known;
  request.ledger_asked = true;
  return RunGate(request);
}

Result<Done> CheckOwnCommits(const Landing& landing, std::vector<Finding>& found) {
  // A merge lands as one commit, and what a host makes of a pull request is not known here.
  if (landing.policy.push == config::LandPolicy::Push::Branch ||
      landing.policy.by == config::LandPolicy::By::Merge)
    return Done{};
  return CheckLine(RequestOf(landing), found);
}

Result<std::optional<std::vector<Finding>>> CheckLanding(Landing& landing) {
  using Answer = Result<std::optional<std::vector<Finding>>>;
  const auto answer = [](Result<std::vector<Finding>> found) -> Answer {
    if (!found.ok()) return found.error();
    return std::optional(std::move(*found));
  };
  auto found = CheckHead(landing);
  // No number is taken for what cannot land anyway.
  if (!found.ok() || NeedsAPerson(*found)) return answer(std::move(found));
  std::vector<std::string> files;
  for (const Finding& finding : *found) {
    if (IsOfNumbers(finding)) files.push_back(finding.file);
  }
  if (!files.empty()) {
    TRY(GiveNumbers(landing, files));
    found = CheckHead(landing);
  }
  if (!found.ok() || !AsksForGoldens(*found) || landing.policy.goldens.empty())
    return answer(std::move(found));
  // The command asks git what has landed, and would record after what this branch lacks.
  TRY(auto moved, TargetMoved(landing));
  if (moved) return Answer(std::nullopt);
  TRY(RefreshGoldens(landing));
  return answer(CheckHead(landing));
}

}  // namespace revctl::commands
