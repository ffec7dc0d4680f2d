#include "revctl/git/settings.h"

#include <fmt/core.h>
#include <cstdio>

#include "revctl/git/command.h"

namespace revctl::git {

Result<std::vector<std::string>> Remotes(const Repository& repository) {
  TRY(const auto text, Output(Command::Run(repository, {"remote"}), "cannot list remotes: "));
  return Lines(text);
}

Result<std::optional<std::string>> DefaultBranchOf(const Repository& repository,
                                                   const std::string& remote) {
  TRY(const auto run, Command::Run(repository, {"symbolic-ref", "--quiet", "--short",
                                                "refs/remotes/" + remote + "/HEAD"}));
  if (!run.ok()) return std::optional<std::string>();
  return std::optional(FirstLine(run.out).substr(remote.size() + 1));
}

Result<std::map<std::string, std::string>> SymbolicRefs(const Repository& repository) {
  TRY(const auto text,
      Output(Command::Run(repository, {"for-each-ref", "--format=%(symref) %(refname)"}),
             "cannot list refs: "));
  std::map<std::string, std::string> out;
  for (const std::string& line : Lines(text)) {
    const std::size_t blank = line.find(' ');
    if (blank != 0 && blank != line.npos) out[line.substr(blank + 1)] = line.substr(0, blank);
  }
  return out;
}

Result<std::string> OtherWorkTreeOn(const Repository& repository, const std::string& branch) {
  TRY(const auto text, Output(Command::Run(repository, {"worktree", "list", "--porcelain"}),
                              "git worktree failed:\n"));
  std::string folder;
  for (const std::string& line : Lines(text)) {
    if (line.starts_with("worktree ")) folder = line.substr(9);
    if (line == "branch refs/heads/" + branch && folder != repository.root()) return folder;
  }
  return std::string();
}

Result<std::string> HooksFolder(const Repository& repository) {
  TRY(const auto elsewhere, repository.ConfigValue("core.hooksPath"));
  if (!elsewhere) return repository.common_dir() + "/hooks";
  auto text = Output(
      Command::Run(repository, {"rev-parse", "--path-format=absolute", "--git-path", "hooks"}),
      "git cannot determine the hooks folder: ");
  if (text.ok()) return FirstLine(*text);
  text.error().fix = "git config core.hooksPath FOLDER, or git config --unset-all core.hooksPath";
  return text.error();
}

Result<base::Done> SetLocalConfig(const Repository& repository, const std::string& key,
                                  const std::optional<std::string>& value) {
  const std::string one = value ? key : "--unset-all", other = value.value_or(key);
  auto done = Output(Command::Run(repository, {"config", "--local", one, other}),
                     fmt::format("git config {} {} failed: ", one, other));
  if (done.ok()) return base::Done{};
  done.error().fix = "check the repository's config, then try again";
  return done.error();
}

Result<std::pair<int, int>> InstalledVersion() {
  auto run = RunGit({"--version"});
  if (!run.ok()) {
    run.error().fix = "install git";
    return run.error();
  }
  std::pair<int, int> out;
  if (std::sscanf(run->out.c_str(), "git version %d.%d", &out.first, &out.second) == 2) return out;
  return Error{Exit::Environment, "does not print a version: " + LastLines(run->out), ""};
}

}  // namespace revctl::git
