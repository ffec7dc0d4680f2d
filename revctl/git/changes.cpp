#include "revctl/git/changes.h"

#include <fmt/core.h>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/base/temporary_file.h"
#include "revctl/git/command.h"

namespace revctl::git {
namespace {

Result<base::Done> Run(const base::Result<ProcessResult>& run, const std::string& failed) {
  TRY(Output(run, failed + ":\n"));
  return base::Done{};
}

}  // namespace

Result<Oid> StoreBlob(const Repository& repository, const std::string& text,
                      const std::string& what) {
  ProcessOptions options;
  options.input = text;
  TRY(const auto id,
      Output(Command::Run(repository, {"hash-object", "-w", "--stdin"}, std::move(options)),
             "cannot write " + what + " as an object:\n"));
  return FirstLine(id);
}

Result<Oid> StoreFile(const Repository& repository, const std::string& path) {
  TRY(const auto id, Output(Command::Run(repository, {"hash-object", "-w", "--path=" + path, "--",
                                                      repository.root() + "/" + path}),
                            "cannot write " + path + " as an object:\n"));
  return FirstLine(id);
}

namespace {

/// Returns the input lines "MODE OID\tPATH\0" for `git update-index --index-info`.
Result<std::string> IndexInfo(const Repository& repository, const Oid& base,
                              const std::vector<TreeChange>& changes) {
  std::string out;
  for (const TreeChange& change : changes) {
    std::string mode = "0";
    if (change.blob) {
      mode = "100644";
      if (change.keep_mode) {
        TRY(const auto present, repository.ModeOf(base, change.path));
        if (present) mode = fmt::format("{:o}", *present);
      }
    }
    out += fmt::format("{} {}\t{}", mode, change.blob.value_or(std::string(base.size(), '0')),
                       change.path) +
           '\0';
  }
  return out;
}

Result<Oid> TreeFrom(const Repository& repository, const Oid& base,
                     const std::vector<TreeChange>& changes, const std::string& index) {
  ProcessOptions options;
  options.environment = {"GIT_INDEX_FILE=" + index};
  TRY(Run(Command::Run(repository, {"read-tree", base}, options), "git read-tree failed"));
  ProcessOptions with_input = options;
  TRY(with_input.input, IndexInfo(repository, base, changes));
  TRY(Run(Command::Run(repository, {"update-index", "-z", "--index-info"}, std::move(with_input)),
          "git update-index failed"));
  TRY(const auto id,
      Output(Command::Run(repository, {"write-tree"}, options), "git write-tree failed:\n"));
  return FirstLine(id);
}

}  // namespace

Result<Oid> StoreTree(const Repository& repository, const Oid& base,
                      const std::vector<TreeChange>& changes) {
  // Use a separate folder, because a killed process would leave behind the index and git's lock on
  // it.
  TRY(const auto scratch, base::ScratchFolder::Make());
  return TreeFrom(repository, base, changes, scratch.path() + "/index");
}

Result<Oid> StoreCommit(const Repository& repository, const Oid& tree,
                        const std::vector<Oid>& parents, const std::string& message) {
  std::vector<std::string> arguments = {"commit-tree"};
  auto signs = repository.ConfigValue("commit.gpgsign");
  if (signs.ok() && *signs == "true") arguments.emplace_back("-S");
  arguments.push_back(tree);
  for (const Oid& parent : parents) arguments.insert(arguments.end(), {"-p", parent});
  arguments.insert(arguments.end(), {"-F", "-"});
  ProcessOptions options;
  // Pass the message through stdin, because it may exceed the limit for one argument.
  options.input = message;
  TRY(const auto id, Output(Command::Run(repository, std::move(arguments), std::move(options)),
                            "git commit-tree failed:\n"));
  return FirstLine(id);
}

Result<base::Done> CommitFiles(const Repository& repository, const std::vector<std::string>& paths,
                               const std::string& message, const std::string& failed) {
  std::vector<std::string> add = {"add", "-A", "--"},
                           commit = {"commit", "--quiet", "-m", message, "--"};
  for (const std::string& path : paths) {
    add.push_back(":(top,literal)" + path);
    commit.push_back(":(top,literal)" + path);
  }
  TRY(Run(Command::RunWithHooks(repository, std::move(add)), "git add failed"));
  auto made = Run(Command::RunWithHooks(repository, std::move(commit)), failed);
  // git usually fails here because a hook rejected the commit.
  if (!made.ok()) made.error().exit = Exit::Findings;
  return made;
}

namespace {

Result<JoinReport> Join(const Repository& repository, const Overrides& overrides,
                        const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  for (const std::string& setting : overrides) all.insert(all.end(), {"-c", setting});
  all.insert(all.end(), arguments.begin(), arguments.end());
  TRY(auto run, Command::RunWithHooks(repository, std::move(all)));
  return JoinReport{run.ok(), run.err.empty() ? run.out : run.err};
}

}  // namespace

Result<JoinReport> Rebase(const Repository& repository, const Oid& onto,
                          const Overrides& overrides) {
  return Join(repository, overrides, {"rebase", "--quiet", "--no-fork-point", onto});
}

Result<JoinReport> Merge(const Repository& repository, const Oid& theirs,
                         const std::string& message, const Overrides& overrides) {
  return Join(
      repository, overrides,
      {"merge", "--quiet", "--no-edit", "--ff", "--commit", "--no-squash", "-m", message, theirs});
}

Result<JoinReport> ContinueOperation(const Repository& repository, const std::string& operation,
                                     const Overrides& overrides) {
  return Join(repository, overrides, {operation, "--continue"});
}

Result<base::Done> AbortOperation(const Repository& repository, const std::string& operation) {
  return Run(Command::RunWithHooks(repository, {operation, "--abort"}),
             fmt::format("git {} --abort failed", operation));
}

std::string OperationIn(const Repository& repository) {
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

Result<base::Done> ResetToBranch(const Repository& repository, const std::string& branch) {
  TRY(Run(Command::Run(repository, {"symbolic-ref", "HEAD", "refs/heads/" + branch}),
          "cannot reset HEAD to " + branch));
  return Run(Command::RunWithHooks(repository, {"reset", "--quiet", "--hard"}),
             "git reset --hard failed");
}

Result<base::Done> ResetBranch(const Repository& repository, const Oid& to,
                               const std::string& failed) {
  return Run(Command::RunWithHooks(repository, {"reset", "--quiet", "--keep", to}), failed);
}

Result<bool> StashCopy(const Repository& repository, const std::string& message) {
  TRY(const auto made,
      Output(Command::Run(repository, {"stash", "create", message}), "git stash failed:\n"));
  const std::string id = FirstLine(made);
  if (id.empty()) return false;
  TRY(Run(Command::Run(repository, {"stash", "store", "-m", message, id}),
          "git stash store failed"));
  return true;
}

Result<base::Done> StashFolders(const Repository& repository,
                                const std::vector<std::string>& folders,
                                const std::string& message) {
  std::vector<std::string> arguments = {"stash", "push",  "--quiet", "--include-untracked",
                                        "-m",    message, "--"};
  for (const std::string& folder : folders) arguments.push_back(":(top,literal)" + folder);
  return Run(Command::RunWithHooks(repository, std::move(arguments)), "git stash failed");
}

Result<base::Done> Checkout(const Repository& repository, const std::string& what, bool detached) {
  std::vector<std::string> arguments = {"checkout", "--quiet", what};
  if (detached) arguments.insert(arguments.end() - 1, "--detach");
  return Run(Command::Run(repository, std::move(arguments)),
             fmt::format("git checkout of {} failed", what));
}

Result<base::Done> CheckoutFiles(const Repository& repository, const Oid& commit,
                                 const std::vector<std::string>& paths) {
  std::vector<std::string> arguments = {"checkout", "--quiet", commit, "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return Run(Command::Run(repository, std::move(arguments)), "git checkout failed");
}

Result<base::Done> CheckoutSide(const Repository& repository, Side side, const std::string& path) {
  return Run(Command::Run(repository, {"checkout", "--quiet",
                                       side == Side::Ours ? "--ours" : "--theirs", "--", path}),
             "git checkout failed");
}

Result<base::Done> RestoreFiles(const Repository& repository,
                                const std::vector<std::string>& paths) {
  if (paths.empty()) return base::Done{};
  std::vector<std::string> arguments = {"restore", "--source=HEAD", "--staged", "--worktree", "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return Run(Command::Run(repository, std::move(arguments)), "git restore failed");
}

Result<base::Done> UpdateWorkTree(const Repository& repository, const Oid& from, const Oid& to) {
  TRY(Output(Command::Run(repository, {"read-tree", "-m", "-u", from, to}), ""));
  return base::Done{};
}

Error LockedHere(const Repository& repository, const std::string& ref) {
  return {Exit::Environment, ref + " is locked, although no other process has updated it",
          fmt::format("if no git process is running in this repository: rm {}",
                      base::ShellPath(fmt::format("{}/{}.lock", repository.common_dir(), ref)))};
}

}  // namespace revctl::git
