// The only part of a fold that needs a work tree and a build.
#include "revctl/folding/goldens.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/session/project_command.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/include_file.h"

namespace revctl::commands {
namespace {

/// Where the work tree was, and what was checked out instead, while the command runs.
std::string NotePath(const git::Repository& repository) {
  return repository.git_dir() + "/revctl-fold";
}

const std::string kBranch = "b ", kCommit = "c ";

std::vector<std::string> GoldenFolders(const FoldQuestion& question, const config::Config& config) {
  std::vector<std::string> out;
  for (const auto& list : config.lists) {
    if (!list.golden.empty()) out.push_back(question.prefix + list.golden);
  }
  return out;
}

/// The golden folders as HEAD has them; what the command added there goes.
Result<Done> Clean(const git::Repository& repository, const std::vector<std::string>& folders) {
  TRY(auto changes, ChangesOf(repository, folders));
  std::vector<std::string> restore = {"restore", "--source=HEAD", "--staged", "--worktree", "--"};
  for (const std::string& path : changes.tracked) {
    if (LiesIn(path, folders)) restore.push_back(path);
  }
  if (restore.size() > 5) {
    TRY(MustRun(repository.Git(restore), "git restore failed"));
  }
  for (const std::string& path : changes.untracked) {
    std::error_code error;
    std::filesystem::remove(repository.root() + "/" + path, error);
  }
  return Done{};
}

Result<Done> Checkout(const git::Repository& repository, const std::string& what, bool detached) {
  std::vector<std::string> arguments = {"checkout", "--quiet"};
  if (detached) arguments.emplace_back("--detach");
  arguments.push_back(what);
  TRY(MustRun(repository.Git(std::move(arguments)),
              fmt::format("git checkout of {} failed", what)));
  return Done{};
}

/// Back to where the note says that the work tree was.
Result<Done> GoBack(const git::Repository& repository, const std::string& note) {
  const std::string before = note.substr(0, note.find('\n'));
  if (before.size() > 2) {
    auto back = Checkout(repository, before.substr(2), before.starts_with(kCommit));
    if (!back.ok()) return back;
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
          fmt::format("`goldens` of the target changed {}, which is no golden", path),
          "mend `land: goldens:` in .revctl.yaml; git checkout -- " + base::ShellPath(path)};
    std::error_code error;
    if (!std::filesystem::exists(repository.root() + "/" + path, error)) {
      fold.goldens[path] = "";
      continue;
    }
    TRY(auto blob, MustRun(repository.Git({"hash-object", "-w", "--path=" + path, "--",
                                           repository.root() + "/" + path}),
                           path + " cannot be written as an object"));
    fold.goldens[path] = blob.out.substr(0, blob.out.find('\n'));
  }
  return Done{};
}

/// Of what is checked out: a build without CMake need not call sync.
Result<Done> WriteIncludes(const Workspace& workspace, const config::Config& config) {
  for (const list::ListConfig& list : config.lists) {
    if (!AtLanding(list)) continue;
    TRY(WriteInclude(workspace.root(), list));
  }
  return Done{};
}

Result<Done> RunGoldens(const Workspace& workspace, const FoldQuestion& question, const Fold& fold,
                        Session& session) {
  TRY(WriteIncludes(workspace, fold.config));
  TRY(const auto ran,
      RunProjectLine(session, workspace.root(), "goldens", fold.config.land.goldens,
                     {"REVCTL_FOLD=" + question.base,
                      fmt::format("{}={}", Workspace::kHeldLock, workspace.LockPath())}));
  if (ran.ok()) return Done{};
  const std::string said = session.quiet ? ":\n" + git::LastLines(ran.out + ran.err) : "";
  return Error{Exit::Findings,
               fmt::format("`goldens` of {} failed (exit {}), and nothing was folded{}",
                           question.base_label, ran.status, said),
               "mend it on the target, then revctl fold"};
}

}  // namespace

Result<Done> RecoverFold(const Workspace& workspace, Session& session) {
  const git::Repository& repository = workspace.repository();
  TRY(auto note, config::ReadFile(NotePath(repository), config::kMaxConfigBytes));
  if (note.value_or("").empty()) return Done{};
  const std::size_t line = std::min(note->find('\n'), note->size() - 1);
  const std::string base = note->substr(line + 1, note->find('\n', line + 1) - line - 1);
  TRY(auto head, repository.Head());
  if (!head || *head != base) {
    // The branch has gone on since: the work tree is its user's.
    std::error_code error;
    std::filesystem::remove(NotePath(repository), error);
    return Done{};
  }
  session.Message("revctl: puts back what a fold that was ended had checked out");
  std::vector<std::string> folders;
  for (const auto& list : workspace.config().lists) {
    if (!list.golden.empty()) folders.push_back(workspace.GitPath(list.golden));
  }
  auto clean = Clean(repository, folders);
  if (!clean.ok()) return clean;
  return GoBack(repository, *note);
}

Result<Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                            const git::Oid& commit, Fold& fold, Session& session) {
  const git::Repository& repository = workspace.repository();
  const std::vector<std::string> folders = GoldenFolders(question, fold.config);
  TRY(auto changes, ChangesOf(repository, folders));
  if (!changes.tracked.empty() || !changes.untracked.empty())
    return Error{
        Exit::Usage,
        "goldens have to be recorded again for this fold, and the work tree is not clean: " +
            SomeOf(changes.tracked.empty() ? changes.untracked : changes.tracked),
        "git stash, or fold in another clone"};
  TRY(auto head, repository.Head());
  TRY(auto branch, repository.HeadBranch());
  const std::string before = !head ? "" : branch ? kBranch + *branch : kCommit + *head;
  const std::string note = fmt::format("{}\n{}\n", before, commit);
  auto noted = config::ReplaceFile(NotePath(repository), note);
  if (!noted.ok()) return noted;
  auto moved = Checkout(repository, commit, true);
  if (!moved.ok()) return moved;
  auto done = RunGoldens(workspace, question, fold, session);
  if (done.ok()) done = TakeGoldens(repository, folders, fold);
  auto clean = Clean(repository, folders);
  if (!clean.ok()) return clean;
  auto back = GoBack(repository, note);
  if (!back.ok()) return back;
  // A list that cannot be read there is no matter of the fold.
  (void)WriteIncludes(workspace, workspace.config());
  return done;
}

}  // namespace revctl::commands
