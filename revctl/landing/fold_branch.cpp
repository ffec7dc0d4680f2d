// Folds the branch during its landing, so that its pending revisions and their numbers reach the
// target in one push.
#include "revctl/landing/steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "revctl/git/changes.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {

using findings::Finding;
using findings::RuleId;

namespace {

/// Returns findings about the branch's own pending revisions that are missing from `fold`. For a
/// revision that is also pending on the target, only prints a note, because this branch did not
/// cause the problem.
Result<std::vector<Finding>> NotFolded(const Landing& landing, const Fold& fold) {
  std::vector<Finding> out;
  for (const FoldedList& list : fold.lists) {
    TRY(const auto there, PendingOnTarget(landing, list.config));
    for (const pending::Blocked& one : list.plan.blocked) {
      if (std::find(there.begin(), there.end(), one.name) != there.end()) {
        landing.listener().Note(fmt::format("{} stays pending: {}", one.name, one.why));
        continue;
      }
      out.push_back(
          {.rule = RuleId::PendingFile,
           .message = fmt::format("{} cannot be folded: {}", one.name, one.why),
           .file = landing.workspace.GitPath(pending::Folder(list.config) + "/" + one.file_name),
           .line = one.line,
           .revision = one.name,
           .fix = one.fix});
    }
  }
  return out;
}

/// True if the landing assigns numbers to pending revisions: it pushes to the target, and a list
/// has `numbers: at-landing`.
bool FoldsPending(const Landing& landing) {
  const auto& lists = landing.workspace.config().lists;
  return landing.policy.push == config::LandPolicy::Push::Target &&
         std::any_of(lists.begin(), lists.end(), AtLanding);
}

}  // namespace

Result<std::vector<std::string>> PendingOnTarget(const Landing& landing,
                                                 const list::ListConfig& list) {
  const Tree target = landing.workspace.At(landing.state.target);
  std::vector<std::string> out;
  TRY(const auto config, target.Config());
  const list::ListConfig* there = config ? config->ListNamed(list.name) : nullptr;
  if (there == nullptr) return out;
  TRY(const auto files, target.Pending(*there));
  for (const auto& file : files) out.push_back(pending::NameOfFile(file.file_name));
  return out;
}

Result<std::vector<Finding>> FoldBranch(Landing& landing) {
  if (!FoldsPending(landing)) return std::vector<Finding>();
  const git::Repository& repository = landing.repository();
  TRY(const auto lock, landing.workspace.LockLists(landing.listener()));
  TRY(SaveLandState(landing, LandState::Phase::Folding));
  const FoldQuestion question{&repository,        landing.workspace.GitPath(""),
                              landing.state.head, landing.state.branch,
                              std::nullopt,       "",
                              landing.policy,     "revctl land"};
  TRY(const auto made, MakeFold(landing.workspace, question, landing.calls));
  TRY(auto found, NotFolded(landing, made.fold));
  if (!found.empty() || !made.commit) {
    TRY(SaveLandState(landing, LandState::Phase::Idle));
    return found;
  }
  landing.state.fold = made.commit;
  TRY(WriteLandState(repository, landing.state));
  TRY(git::ResetBranch(repository, *made.commit, "cannot advance the branch to its fold commit"));
  TRY(SaveLandState(landing, LandState::Phase::Idle));
  TRY(WriteIncludes(landing.workspace, landing.workspace.config()));
  return found;
}

Result<Done> TakeBackFold(Landing& landing) {
  if (!landing.state.fold) return Done{};
  const git::Repository& repository = landing.repository();
  TRY(const auto head, HeadOf(repository));
  if (head == *landing.state.fold) {
    TRY(const auto fold, repository.ReadCommit(head));
    TRY(git::ResetBranch(repository, fold.parents.front(), "cannot undo the fold"));
    TRY(WriteIncludes(landing.workspace, landing.workspace.config()));
  }
  landing.state.fold.reset();
  return SaveLandState(landing, LandState::Phase::Idle);
}

Result<std::string> NumbersOfFold(const Landing& landing) {
  std::string out;
  if (!FoldsPending(landing)) return out;
  for (const list::ListConfig& list : landing.workspace.config().lists) {
    if (!AtLanding(list)) continue;
    TRY(auto landed, landing.workspace.At(landing.target()).Parsed(list));
    if (!landed) {
      TRY(landed, landing.workspace.At(landing.state.head).Parsed(list));
    }
    if (!landed) continue;
    std::map<std::string, pending::PendingText> files;
    for (const git::Oid& commit : {landing.state.head, landing.target()}) {
      TRY(auto there, landing.workspace.At(commit).Pending(list));
      for (auto& file : there) files.emplace(file.file_name, std::move(file));
    }
    std::vector<pending::PendingText> all;
    for (auto& [name, file] : files) all.push_back(std::move(file));
    for (const pending::Numbered& one : pending::MakePlan(*landed, list, all).order)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", one.name, one.number);
  }
  return out;
}

}  // namespace revctl::commands
