// The target's commands: what they see, and when `verify:` has to run again.

#include <algorithm>
#include <filesystem>

#include "revctl/base/process.h"
#include "revctl/landing/steps.h"
#include "revctl/session/project_command.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

/// Those of `paths` that the target's .gitattributes do not mark `linguist-documentation`. Asked of
/// the target in an index of its own: a branch must not say what of it goes unverified.
Result<std::vector<std::string>> BuiltOf(const Landing& landing,
                                         const std::vector<std::string>& paths) {
  const git::Repository& repository = landing.repository();
  const std::string index = repository.git_dir() + "/revctl-land-index";
  base::ProcessOptions aside;
  aside.environment = {"GIT_INDEX_FILE=" + index};
  auto read =
      MustRun(repository.Git({"read-tree", landing.target()}, aside), "git read-tree failed");
  for (const std::string& path : paths) aside.input += path + '\0';
  auto asked = read.ok() ? MustRun(repository.Git({"check-attr", "--cached", "-z", "--stdin",
                                                   "linguist-documentation"},
                                                  aside),
                                   "git check-attr failed")
                         : read;
  std::error_code error;
  std::filesystem::remove(index, error);
  if (!asked.ok()) return asked.error();
  const std::vector<std::string> words = git::SplitAtNul(asked->out);
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) {  // path, attribute, value
    if (words[i + 2] != "set" && words[i + 2] != "true") out.push_back(words[i]);
  }
  if (words.size() != paths.size() * 3) return paths;  // what was not answered counts as built
  return out;
}

/// Has `tree` passed the command, itself or but for documentation?
Result<bool> Passed(const Landing& landing, const git::Oid& tree) {
  const LandState& state = landing.state;
  if (state.verified_tree.empty() || state.verified_line != landing.policy.verify) return false;
  if (state.verified_tree == tree) return true;
  TRY(auto run, landing.repository().Git({"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                                          state.verified_tree, tree}));
  if (!run.ok()) return false;  // the tree that had passed is gone
  const std::vector<std::string> changed = git::SplitAtNul(run.out);
  TRY(auto built, BuiltOf(landing, changed));
  if (!built.empty()) return false;
  landing.session.Message(fmt::format(
      "not verified again: since then only documentation changed ({})", SomeOf(changed)));
  return true;
}

}  // namespace

Result<Done> RunLine(Landing& landing, const std::string& key, const std::string& line) {
  TRY(auto ran, RunProjectLine(landing.session, landing.workspace.root(), key, line));
  if (ran.ok()) return Done{};
  const std::string said = !landing.session.quiet ? "" : ":\n" + git::LastLines(ran.out + ran.err);
  return Error{Exit::Findings,
               fmt::format("`{}` of {} failed (exit {}), and nothing was pushed{}", key,
                           landing.workspace.TargetLabel(), ran.status, said),
               "mend it and commit, then revctl land; " + AbortAdvice(landing.state)};
}

Result<Done> Verify(Landing& landing) {
  if (landing.policy.verify.empty()) return Done{};
  TRY(auto tree, TreeOf(landing.repository(), landing.state.head));
  TRY(auto passed, Passed(landing, tree));
  if (!passed) {
    auto ran = RunLine(landing, "verify", landing.policy.verify);
    if (!ran.ok()) return ran;
  }
  TRY(auto changes, ChangesOf(landing.repository()));
  if (!changes.tracked.empty())
    return Error{Exit::Findings, "`verify` changed what it verified: " + SomeOf(changes.tracked),
                 "look at git diff; put the files back or commit them, then revctl land"};
  landing.state.verified_tree = tree;
  landing.state.verified_line = landing.policy.verify;
  return SaveLandState(landing, LandState::Phase::Idle);
}

}  // namespace revctl::commands
