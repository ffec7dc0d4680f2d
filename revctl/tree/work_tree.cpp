#include "revctl/tree/work_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "revctl/base/process.h"

namespace revctl::commands {

Result<base::ProcessResult> MustRun(Result<base::ProcessResult> run, const std::string& what) {
  if (!run.ok() || run->ok()) return run;
  return Error{Exit::Environment,
               what + ":\n" + git::LastLines(run->err.empty() ? run->out : run->err), ""};
}

bool LiesIn(const std::string& path, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    return path == place || path.starts_with(place + "/");
  });
}

Result<TreeChanges> ChangesOf(const git::Repository& repository,
                              const std::vector<std::string>& folders) {
  const bool untracked = !folders.empty();
  TRY(auto run,
      MustRun(repository.Git({"status", "--porcelain=v1", "-z", "--no-renames",
                              "--ignore-submodules=dirty",
                              untracked ? "--untracked-files=all" : "--untracked-files=no"}),
              "git status failed"));
  TreeChanges out;
  for (const std::string& line : git::SplitAtNul(run.out)) {
    const std::string code = line.substr(0, 2), path = line.substr(3);  // "XY PATH"
    if (code == "??") {
      if (LiesIn(path, folders)) out.untracked.push_back(path);
      continue;
    }
    out.tracked.push_back(path);
    if (code == "DD" || code == "AA" || code.find('U') != std::string::npos)
      out.unmerged.push_back(path);
  }
  return out;
}

std::string SomeOf(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < paths.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kShown) out += fmt::format(" and {} more", paths.size() - kShown);
  return out;
}

Result<Done> CommitPaths(const git::Repository& repository, const std::vector<std::string>& paths,
                         const std::string& message) {
  std::vector<std::string> add = {"add", "-A", "--"},
                           commit = {"commit", "--quiet", "-m", message, "--"};
  for (const std::string& path : paths) {
    add.push_back(":(top,literal)" + path);
    commit.push_back(":(top,literal)" + path);
  }
  TRY(MustRun(repository.GitWithHooks(std::move(add)), "git add failed"));
  auto made = MustRun(repository.GitWithHooks(std::move(commit)),
                      fmt::format("git commit of {} failed", SomeOf(paths)));
  if (!made.ok()) {
    made.error().exit = Exit::Findings;  // usually a hook rejected the commit
    made.error().fix = "mend that and git commit, then revctl land";
    return made.error();
  }
  return Done{};
}

std::string OperationIn(const git::Repository& repository) {
  const std::pair<const char*, const char*> signs[] = {
      {"rebase-merge", "rebase"}, {"rebase-apply", "rebase"},
      {"MERGE_HEAD", "merge"},    {"CHERRY_PICK_HEAD", "cherry-pick"},
      {"REVERT_HEAD", "revert"},  {"sequencer", "cherry-pick"},
      {"BISECT_LOG", "bisect"}};
  for (const auto& [file, operation] : signs) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::path(repository.git_dir()) / file, error))
      return operation;
  }
  return "";
}

Result<git::Oid> TreeOf(const git::Repository& repository, const git::Oid& commit) {
  TRY(auto run, MustRun(repository.Git({"rev-parse", "--verify", "--quiet", commit + "^{tree}"}),
                        fmt::format("the tree of {} cannot be read", commit.substr(0, 10))));
  return run.out.substr(0, run.out.find('\n'));
}

Result<std::map<std::string, Stages>> UnmergedAt(const git::Repository& repository,
                                                 const std::string& place) {
  std::map<std::string, Stages> out;
  TRY(auto listed, repository.Git({"ls-files", "-z", "--unmerged", "--", place}));
  if (!listed.ok()) return out;
  for (const std::string& line : git::SplitAtNul(listed.out)) {  // "MODE OID STAGE\tPATH"
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string::npos || line.size() < second + 4) continue;
    const char stage = line[second + 1];
    if (stage < '1' || stage > '3') continue;
    out[line.substr(second + 3)][static_cast<std::size_t>(stage - '1')] =
        line.substr(first + 1, second - first - 1);
  }
  return out;
}

Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                           const Stages& stages) {
  std::array<std::string, 3> out;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i]) continue;
    TRY(auto blob, repository.Git({"cat-file", "blob", *stages[i]}));
    if (!blob.ok())
      return Error{Exit::Environment,
                   "a side of the merge cannot be read: " + git::LastLines(blob.err), ""};
    out[i] = std::move(blob.out);
  }
  return out;
}

}  // namespace revctl::commands
