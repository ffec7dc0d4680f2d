// A fold on one tip of the target, from its plan to its commit; and on the next tip, where another
// push was faster.
#include "revctl/folding/make_fold.h"

#include "golden/index.h"
#include "revctl/base/file.h"
#include "revctl/folding/goldens.h"

namespace revctl::commands {
namespace {

/// The files of the golden folders at both commits are the same, as far as `goldens` names them.
Result<bool> SameGoldens(const FoldQuestion& q, const git::Oid& base, const Fold& fold) {
  for (const FoldedList& one : fold.lists) {
    if (one.config.golden.empty()) continue;
    const std::string folder = q.prefix + one.config.golden + "/";
    const auto files = [&](const git::Oid& commit) -> Result<std::map<std::string, git::Oid>> {
      TRY(auto listed, q.repository->ListFiles(commit, q.prefix + one.config.golden));
      std::map<std::string, git::Oid> out;
      for (git::TreeFile& file : listed) {
        if (fold.goldens.contains(folder + file.path)) out.emplace(file.path, std::move(file.id));
      }
      return out;
    };
    TRY(const auto then, files(base));
    TRY(const auto now, files(q.base));
    if (then != now) return false;
  }
  return true;
}

/// Names in their order, with their numbers.
std::vector<std::pair<std::string, std::int64_t>> NumberedBy(const Fold& fold) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const FoldedList& list : fold.lists) {
    for (const pending::Numbered& one : list.plan.order) out.emplace_back(one.name, one.number);
  }
  return out;
}

/// Of golden files that a refresh wrote, those of what is folded, and what was added to others.
std::map<std::string, std::string> OfFolded(const std::map<std::string, std::string>& goldens,
                                            const Fold& fold,
                                            const std::set<std::string>& untouched) {
  std::map<std::string, std::string> out;
  for (const auto& [path, blob] : goldens) {
    const auto name = golden::ParseFileName(base::FileName(path));
    if (!name ||
        (fold.Folds(name->revision) ? !untouched.contains(name->revision) : name->IsAddition()))
      out.emplace(path, blob);
  }
  return out;
}

/// What a refresh could not write may be written once the others have their numbers: a record that
/// took the layout of a later revision along stands behind it then.
void SayAgain(Fold& fold, const std::map<std::string, std::string>& refused) {
  for (FoldedList& list : fold.lists) {
    for (pending::Blocked& one : list.plan.blocked) {
      if (one.fix.empty() && refused.contains(one.name))
        one.fix = "revctl fold again, now that the others have their numbers";
    }
  }
}

}  // namespace

Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                          Session& session) {
  std::map<std::string, std::string> refused;
  std::map<std::string, std::string> goldens;
  std::set<std::string> untouched;
  bool refreshed = false;
  for (;;) {
    TRY(auto fold, PlanFold(question, refused));
    if (!fold.Any()) return MadeFold{std::move(fold), std::nullopt, question.base};
    fold.goldens = OfFolded(goldens, fold, untouched);
    TRY(auto commit, WriteFold(question, fold));
    TRY(auto stale, StaleIn(question, fold, commit));
    std::map<std::string, std::string> wrong;
    if (stale.empty()) {
      TRY(auto taken, CheckTaken(question, fold, commit));
      if (taken.refused.empty() && taken.untouched.empty()) {
        SayAgain(fold, refused);
        return MadeFold{std::move(fold), std::move(commit), question.base};
      }
      wrong = std::move(taken.refused);
      untouched.merge(taken.untouched);
    } else if (!refreshed && !fold.config.land.goldens.empty()) {
      refreshed = true;
      TRY(RefreshForFold(workspace, question, commit, fold, session));
      goldens = fold.goldens;
    } else {
      for (const auto& [name, why] : stale)
        wrong[name] = "RV028: " + why +
                      (fold.config.land.goldens.empty()
                           ? "; no `land: goldens:` in .revctl.yaml says how to record them again"
                           : ", also after `land: goldens:`");
    }
    if (wrong.empty()) continue;
    // What was written anew was made with those before it that stay pending now.
    refused.merge(wrong);
    goldens.clear();
    untouched.clear();
    refreshed = false;
  }
}

Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question, const MadeFold& made) {
  const std::optional<MadeFold> none;
  if (made.fold.goldens.empty()) return none;  // another costs no build
  FoldQuestion same = question;
  if (!same.at) same.at = made.made_on;
  TRY(const bool kept, SameGoldens(same, made.made_on, made.fold));
  if (!kept) return none;
  std::map<std::string, std::string> refused;
  for (const FoldedList& list : made.fold.lists) {
    for (const pending::Blocked& one : list.plan.blocked) refused.emplace(one.name, one.why);
  }
  auto fold = PlanFold(same, refused);
  if (!fold.ok() || NumberedBy(*fold) != NumberedBy(made.fold)) return none;
  fold->goldens = made.fold.goldens;
  TRY(auto commit, WriteFold(same, *fold));
  TRY(const auto stale, StaleIn(same, *fold, commit));
  if (!stale.empty()) return none;
  TRY(const auto taken, CheckTaken(same, *fold, commit));
  if (!taken.refused.empty() || !taken.untouched.empty()) return none;
  return std::optional<MadeFold>(MadeFold{std::move(*fold), std::move(commit), made.made_on});
}

}  // namespace revctl::commands
