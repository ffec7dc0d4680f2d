// A landing that was killed: the work tree goes back to the branch's last commit, and nothing that
// lay there is lost.
#include <filesystem>

#include "revctl/config/files.h"
#include "revctl/landing/join.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

const char* const kStashed = "revctl land was ended while it wrote here";

/// A killed git leaves files that its index does not know, and the next join would refuse to
/// overwrite them. Those that the target has, or the beginning of them, hold nothing of their own.
Result<Done> RemoveLeftOvers(const git::Repository& repository, const git::Oid& target) {
  TRY(auto run, MustRun(repository.Git({"ls-files", "-z", "--others"}), "git ls-files failed"));
  for (const std::string& path : git::SplitAtNul(run.out)) {
    auto there = repository.ReadFile(target, path);
    if (!there.ok() || !*there) continue;
    auto here = config::ReadFile(repository.root() + "/" + path, (**there).size());
    if (!here.ok() || !*here || !(**there).starts_with(**here)) continue;
    std::error_code error;
    std::filesystem::remove(repository.root() + "/" + path, error);
  }
  return Done{};
}

/// `git stash create` and `store`: the work tree stays as it is.
Result<Done> KeepWorkTree(const git::Repository& repository, Session& session) {
  TRY(auto made, MustRun(repository.Git({"stash", "create", kStashed}), "git stash failed"));
  const std::string id = made.out.substr(0, made.out.find('\n'));
  if (id.empty()) return Done{};
  auto stored =
      MustRun(repository.Git({"stash", "store", "-m", kStashed, id}), "git stash store failed");
  if (!stored.ok()) return stored.error();
  session.Message("what lay in the work tree is kept: git stash show -p");
  return Done{};
}

/// git was killed within a rebase or merge.
Result<Done> EndJoin(const git::Repository& repository, Session& session, const LandState& state,
                     bool dirty) {
  if (dirty) {
    auto kept = KeepWorkTree(repository, session);
    if (!kept.ok()) return kept;
  }
  if (OperationIn(repository) == "rebase") {
    TRY(auto aborted, repository.GitWithHooks({"rebase", "--abort"}));
    // One that died before it had written down where it came from: git says to remove its folder.
    std::error_code error;
    if (!aborted.ok())
      std::filesystem::remove_all(std::filesystem::path(repository.git_dir()) / "rebase-merge",
                                  error);
  }
  TRY(MustRun(repository.Git({"symbolic-ref", "HEAD", "refs/heads/" + state.branch}),
              "HEAD cannot be put back to " + state.branch));
  auto reset =
      MustRun(repository.GitWithHooks({"reset", "--quiet", "--hard"}), "git reset --hard failed");
  if (!reset.ok()) return reset.error();
  return state.target.empty() ? Result<Done>(Done{}) : RemoveLeftOvers(repository, state.target);
}

}  // namespace

Result<Done> RecoverKilled(const git::Repository& repository, Session& session,
                           const LandState& state, const std::vector<std::string>& places) {
  TRY(auto changes,
      ChangesOf(repository,
                state.phase == LandState::Phase::Goldens ? places : std::vector<std::string>{}));
  if (state.phase == LandState::Phase::Joining) {
    const bool running = !OperationIn(repository).empty();
    if (running && !changes.unmerged.empty())
      return Error{Exit::Findings,
                   fmt::format("the landing of {} is stopped at a conflict in {}", state.branch,
                               SomeOf(changes.unmerged)),
                   "mend and git add them, then revctl land --continue; or revctl land --abort"};
    if (!running && changes.tracked.empty()) return RemoveLeftOvers(repository, state.target);
    session.Message(
        fmt::format("the landing of {} was ended within a join: it begins again", state.branch));
    return EndJoin(repository, session, state, !changes.tracked.empty());
  }
  if (changes.tracked.empty() && changes.untracked.empty()) return Done{};
  for (const std::string& path : changes.tracked) {
    if (!LiesIn(path, places)) return Done{};  // not the landing's: the tree is refused as dirty
  }
  std::vector<std::string> stash = {"stash", "push",   "--quiet", "--include-untracked",
                                    "-m",    kStashed, "--"};
  for (const std::string& place : places) {
    if (std::filesystem::exists(repository.root() + "/" + place))
      stash.push_back(":(top,literal)" + place);
  }
  TRY(MustRun(repository.GitWithHooks(std::move(stash)), "git stash failed"));
  session.Message(fmt::format(
      "the landing of {} was ended while it wrote {}: kept in git stash, and it begins again",
      state.branch, SomeOf(changes.tracked.empty() ? changes.untracked : changes.tracked)));
  return Done{};
}

}  // namespace revctl::commands
