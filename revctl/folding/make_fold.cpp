// Creates a fold on the target's tip. After a lost push race, replays the fold on the new tip.
#include "revctl/folding/make_fold.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>

#include "golden/index.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/findings/rule_table.h"
#include "revctl/git/changes.h"
#include "revctl/git/process.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// True if the golden files that the fold regenerates are identical at `base` and at `q.base`, so
/// that the new goldens are still valid.
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

std::vector<std::pair<std::string, std::int64_t>> NumberedBy(const Fold& fold) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const FoldedList& list : fold.lists) {
    for (const pending::Numbered& one : list.plan.order) out.emplace_back(one.name, one.number);
  }
  return out;
}

/// Returns the regenerated files to include in the fold: goldens of folded revisions that are not
/// `untouched`, and additions to other revisions.
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

/// Suggests running fold again for the revisions in `refused`. It may be possible to record their
/// goldens once the other revisions have been folded, for example if a record includes the layout
/// of a later revision.
void SayAgain(const std::string& command, Fold& fold,
              const std::map<std::string, std::string>& refused) {
  for (FoldedList& list : fold.lists) {
    for (pending::Blocked& one : list.plan.blocked) {
      if (one.fix.empty() && refused.contains(one.name))
        one.fix = command + "   # run again, now that the other revisions have numbers";
    }
  }
}

/// Returns the path of a note that stores the user's checkout and the temporary checkout. The note
/// exists while the `goldens` command runs, so that RecoverFold can restore the user's checkout.
std::string NotePath(const git::Repository& repository) {
  return repository.git_dir() + "/revctl-fold";
}

const std::string kBranch = "b ", kCommit = "c ";

/// Undoes the changes made by the `goldens` command: resets the golden folders to HEAD and removes
/// added files.
Result<Done> Clean(const git::Repository& repository, const std::vector<std::string>& folders) {
  TRY(auto changes, ChangesOf(repository, folders));
  std::vector<std::string> restore;
  for (const std::string& path : changes.tracked) {
    if (LiesIn(path, folders)) restore.push_back(path);
  }
  TRY(git::RestoreFiles(repository, restore));
  for (const std::string& path : changes.untracked) {
    std::error_code error;
    std::filesystem::remove(repository.root() + "/" + path, error);
  }
  return Done{};
}

/// Returns to the branch or commit that the user had checked out, and removes the note.
Result<Done> GoBack(const git::Repository& repository, const std::string& note) {
  const std::string before = note.substr(0, note.find('\n'));
  if (before.size() > 2) {
    TRY(git::Checkout(repository, before.substr(2), before.starts_with(kCommit)));
  }
  std::error_code error;
  std::filesystem::remove(NotePath(repository), error);
  return Done{};
}

Result<Done> TakeGoldens(const git::Repository& repository, const std::vector<std::string>& folders,
                         Fold& fold) {
  TRY(auto changes, ChangesOf(repository, folders));
  std::vector<std::string> all = changes.tracked;
  all.insert(all.end(), changes.untracked.begin(), changes.untracked.end());
  for (const std::string& path : all) {
    if (!LiesIn(path, folders))
      return Error{
          Exit::Findings,
          fmt::format("the target's `goldens` command changed {}, which is not a golden", path),
          "correct `land: goldens:` in .revctl.yaml, then run git checkout -- " +
              base::ShellPath(path)};
    std::error_code error;
    if (!std::filesystem::exists(repository.root() + "/" + path, error)) {
      fold.goldens[path] = "";
      continue;
    }
    TRY(fold.goldens[path], git::StoreFile(repository, path));
  }
  return Done{};
}

Result<Done> RunGoldens(const Workspace& workspace, const FoldQuestion& question, const Fold& fold,
                        const config::ProjectRunner& run) {
  TRY(WriteIncludes(workspace, fold.config));
  TRY(const auto ran,
      run(workspace.root(), {"goldens",
                             fold.config.land.goldens,
                             {"REVCTL_FOLD=" + question.base,
                              fmt::format("{}={}", Workspace::kHeldLock, workspace.LockPath())}}));
  if (ran.ok()) return Done{};
  return Error{Exit::Findings,
               fmt::format("the `goldens` command of {} failed (exit {}); nothing was folded{}",
                           workspace.TargetLabel(), ran.status, git::CapturedOutput(ran)),
               "fix the cause and commit, then " + question.command};
}

/// Runs the target's `land: goldens:` command on `commit`, which contains `fold`, and adds the
/// golden files that the command changes to `fold`. In `commit`, every revision has its planned
/// number, even if it stays pending in the end. Sets REVCTL_FOLD to the fold's base, so that the
/// command knows which revisions have not landed. Fails if the work tree is not clean, and restores
/// it afterwards.
Result<Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                            const git::Oid& commit, Fold& fold, const FoldCallbacks& calls) {
  const git::Repository& repository = workspace.repository();
  const std::vector<std::string> folders = GoldenFolders(fold.config, question.prefix);
  TRY(auto changes, ChangesOf(repository, folders));
  if (!changes.tracked.empty() || !changes.untracked.empty())
    return Error{
        Exit::Usage,
        "this fold has to record goldens again, but the work tree has uncommitted changes: " +
            SomeOf(changes.tracked.empty() ? changes.untracked : changes.tracked),
        fmt::format("git stash, then {} (or run it in another clone)", question.command)};
  TRY(auto head, repository.Head());
  TRY(auto branch, repository.HeadBranch());
  const std::string before = !head ? "" : branch ? kBranch + *branch : kCommit + *head;
  const std::string note = fmt::format("{}\n{}\n", before, commit);
  auto noted = config::ReplaceFile(NotePath(repository), note);
  if (!noted.ok()) return noted;
  TRY(git::Checkout(repository, commit, true));
  auto done = RunGoldens(workspace, question, fold, calls.run);
  if (done.ok()) done = TakeGoldens(repository, folders, fold);
  auto clean = Clean(repository, folders);
  if (!clean.ok()) return clean;
  auto back = GoBack(repository, note);
  if (!back.ok()) return back;
  // Ignore the error for an unreadable list, because the fold does not need the include files.
  (void)WriteIncludes(workspace, workspace.config());
  return done;
}

}  // namespace

Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                          const FoldCallbacks& calls) {
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
      TRY(auto taken, ValidateRefreshed(question, fold, commit));
      if (taken.refused.empty() && taken.untouched.empty()) {
        SayAgain(question.command, fold, refused);
        return MadeFold{std::move(fold), std::move(commit), question.base};
      }
      wrong = std::move(taken.refused);
      untouched.merge(taken.untouched);
    } else if (!refreshed && !fold.config.land.goldens.empty()) {
      refreshed = true;
      TRY(RefreshForFold(workspace, question, commit, fold, calls));
      goldens = fold.goldens;
    } else {
      for (const auto& [name, why] : stale)
        wrong[name] = std::string(findings::NameOf(findings::RuleId::OutdatedGoldens)) + ": " +
                      why +
                      (fold.config.land.goldens.empty()
                           ? "; .revctl.yaml has no `land: goldens:` command to record them again"
                           : ", even after the `land: goldens:` command ran");
    }
    if (wrong.empty()) continue;
    // Discard the goldens and retry, because they were recorded on top of revisions that will now
    // stay pending.
    refused.merge(wrong);
    goldens.clear();
    untouched.clear();
    refreshed = false;
  }
}

Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question, const MadeFold& made) {
  const std::optional<MadeFold> none;
  // Without regenerated goldens, planning the fold again is cheap.
  if (made.fold.goldens.empty()) return none;
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
  TRY(const auto taken, ValidateRefreshed(same, *fold, commit));
  if (!taken.refused.empty() || !taken.untouched.empty()) return none;
  return std::optional<MadeFold>(MadeFold{std::move(*fold), std::move(commit), made.made_on});
}

std::vector<std::string> GoldenFolders(const config::Config& config, const std::string& prefix) {
  std::vector<std::string> out;
  for (const auto& list : config.lists) {
    if (!list.golden.empty()) out.push_back(prefix + list.golden);
  }
  return out;
}

Result<Done> WriteIncludes(const Workspace& workspace, const config::Config& config) {
  for (const list::ListConfig& list : config.lists) {
    if (!AtLanding(list)) continue;
    TRY(WriteInclude(workspace.root(), list));
  }
  return Done{};
}

Result<Done> RecoverFold(const Workspace& workspace, const base::Listener& listener) {
  const git::Repository& repository = workspace.repository();
  TRY(auto note, config::ReadFile(NotePath(repository), config::kMaxConfigBytes));
  if (note.value_or("").empty()) return Done{};
  const std::size_t line = std::min(note->find('\n'), note->size() - 1);
  const std::string base = note->substr(line + 1, note->find('\n', line + 1) - line - 1);
  TRY(auto head, repository.Head());
  if (!head || *head != base) {
    // HEAD has moved since revctl was killed, so the user has continued working. Do not touch the
    // work tree.
    std::error_code error;
    std::filesystem::remove(NotePath(repository), error);
    return Done{};
  }
  listener.Note("revctl: restoring the work tree after an interrupted fold");
  std::vector<std::string> places;
  for (const auto& list : workspace.config().lists) {
    for (const std::string& path : {list.path, pending::Folder(list)}) {
      if (std::filesystem::exists(workspace.FilePath(path)))
        places.push_back(workspace.GitPath(path));
    }
  }
  TRY(Clean(repository, GoldenFolders(workspace.config(), workspace.GitPath(""))));
  // If git was killed during a checkout, some of these files may come from the wrong commit.
  TRY(const auto changes, ChangesOf(repository, places));
  if (!places.empty() && !(changes.tracked.empty() && changes.untracked.empty())) {
    TRY(git::StashFolders(repository, places, "revctl fold was interrupted during this checkout"));
  }
  return GoBack(repository, *note);
}

}  // namespace revctl::commands
