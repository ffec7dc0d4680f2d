#include "revctl/git/history.h"

#include <fmt/core.h>

#include "revctl/git/command.h"

namespace revctl::git {
namespace {

std::vector<std::string> Joined(std::vector<std::string> arguments,
                                const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::string kLineFailed = "cannot list the commits of a push: ";
const std::string kCompareFailed = "cannot compare commits: ";

}  // namespace

Result<Oid> TreeOf(const Repository& repository, const Oid& commit) {
  TRY(const auto text,
      Output(Command::Run(repository, {"rev-parse", "--verify", "--quiet", commit + "^{tree}"}),
             fmt::format("cannot read the tree of {}:\n", commit.substr(0, 10))));
  return FirstLine(text);
}

Result<std::vector<Repository::CommitParents>> FirstParentLine(const Repository& repository,
                                                               const Oid& tip, const Oid& known) {
  TRY(const auto text, Output(Command::Run(repository, {"rev-list", "--first-parent", "--parents",
                                                        tip, "^" + known}),
                              kLineFailed));
  return ParseParents(text);
}

Result<std::vector<Oid>> FirstParentLineTouching(const Repository& repository, const Oid& tip,
                                                 const Oid& known,
                                                 const std::vector<std::string>& paths) {
  TRY(const auto text,
      Output(Command::Run(repository,
                          Joined({"rev-list", "--first-parent", tip, "^" + known, "--"}, paths)),
             kLineFailed));
  return Lines(text);
}

Result<std::vector<Oid>> CommitsChanging(const Repository& repository, const CommitRange& range,
                                         const std::vector<std::string>& paths) {
  std::vector<std::string> arguments = {
      "-c", "log.follow=false", "log", "--full-history", "--no-show-signature", "--format=%H"};
  if (!range.merges) arguments.emplace_back("--no-merges");
  if (range.branches) arguments.insert(arguments.end(), {"--branches", "--remotes"});
  if (!range.text.empty()) arguments.push_back("-S" + range.text);
  arguments.insert(arguments.end(), range.tips.begin(), range.tips.end());
  for (const Oid& known : range.without) arguments.push_back("^" + known);
  arguments.emplace_back("--");
  TRY(const auto text,
      Output(Command::Run(repository, Joined(std::move(arguments), paths)), kCompareFailed));
  return Lines(text);
}

Result<std::vector<Oid>> CommitsChangingLines(const Repository& repository, const Oid& tip,
                                              const std::string& path, const std::string& line,
                                              std::size_t most) {
  TRY(const auto text,
      Output(Command::Run(repository, {"-c", "log.follow=false", "log", "--topo-order",
                                       "--no-merges", "--no-show-signature", "--format=%H",
                                       fmt::format("-n{}", most), "-G" + line, tip, "--", path}),
             kCompareFailed));
  return Lines(text);
}

namespace {

Result<std::string> History(const Repository& repository, std::vector<std::string> arguments,
                            const std::string& what) {
  auto text = Output(Command::Run(repository, std::move(arguments)),
                     fmt::format("cannot read the history of {}: ", what));
  if (!text.ok()) text.error().fix = "git fsck   # lists missing objects";
  return text;
}

}  // namespace

Result<std::vector<Oid>> AllCommitsTouching(const Repository& repository,
                                            const std::vector<std::string>& paths,
                                            const std::string& what) {
  TRY(const auto text,
      History(repository, Joined({"log", "--all", "--full-history", "--format=%H", "--"}, paths),
              what));
  return Lines(text);
}

Result<std::vector<std::string>> FormerPaths(const Repository& repository, const Oid& tip,
                                             const std::string& path, const std::string& what) {
  TRY(const auto text,
      History(repository, {"log", "-z", "--follow", "--name-only", "--format=", tip, "--", path},
              what));
  std::vector<std::string> out = SplitAtNul(text);
  std::erase(out, "");
  return out;
}

namespace {

Result<std::string> Patches(const Repository& repository, const std::vector<std::string>& range,
                            const std::vector<std::string>& without) {
  std::vector<std::string> arguments = {"--no-literal-pathspecs",
                                        "log",
                                        "-p",
                                        "-U0",
                                        "--no-renames",
                                        "--no-color",
                                        "--no-ext-diff",
                                        "--no-textconv",
                                        "--no-show-signature",
                                        "--full-history",
                                        "--format=%x00%H"};
  arguments.insert(arguments.end(), range.begin(), range.end());
  arguments.insert(arguments.end(), {"--", ":(top)"});
  for (const std::string& path : without) arguments.push_back(":(top,exclude,literal)" + path);
  return Output(Command::Run(repository, std::move(arguments)), kCompareFailed);
}

}  // namespace

Result<std::string> PatchesOf(const Repository& repository, const Oid& commit,
                              const std::vector<std::string>& without) {
  return Patches(repository, {"--no-walk", "-m", "--first-parent", commit}, without);
}

Result<std::string> PatchesSince(const Repository& repository, const Oid& tip, const Oid& known,
                                 const std::vector<std::string>& without) {
  return Patches(repository, {"--no-merges", tip, "^" + known}, without);
}

Result<std::optional<Oid>> LastCommitDeleting(const Repository& repository, const Oid& tip,
                                              const Oid& known,
                                              const std::vector<std::string>& paths) {
  TRY(const auto run,
      Command::Run(repository, Joined({"log", "-1", "--first-parent", "-m", "--diff-filter=D",
                                       "--format=%H", "-s", known + ".." + tip, "--"},
                                      paths)));
  const std::string id = run.ok() ? FirstLine(run.out) : "";
  return id.empty() ? std::optional<Oid>() : std::optional(id);
}

Result<std::vector<std::string>> FilesDeletedBy(const Repository& repository, const Oid& commit,
                                                const std::string& folder) {
  TRY(const auto run,
      Command::Run(repository, {"diff-tree", "-r", "-z", "--no-commit-id", "--name-only",
                                "--diff-filter=D", commit + "^", commit, "--", folder}));
  return SplitAtNul(run.out);
}

Result<std::optional<std::vector<std::string>>> FilesBetween(const Repository& repository,
                                                             const Oid& from, const Oid& to) {
  TRY(const auto run,
      Command::Run(repository, {"diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to}));
  if (!run.ok()) return std::optional<std::vector<std::string>>();
  return std::optional(SplitAtNul(run.out));
}

Result<std::vector<std::string>> AddedFilesLike(const Repository& repository, const Oid& from,
                                                const Oid& to, const std::string& glob) {
  TRY(const auto text,
      Output(Command::Run(repository, {"--no-literal-pathspecs", "diff-tree", "-r", "-z",
                                       "--name-only", "--no-renames", "--diff-filter=A", from, to,
                                       "--", ":(top,glob)" + glob}),
             "cannot list added files: "));
  return SplitAtNul(text);
}

Result<std::optional<Blamed>> BlameLine(const Repository& repository, const Oid& tip,
                                        const std::string& path, int line) {
  TRY(const auto run,
      Command::Run(repository, {"-c", "core.quotePath=false", "blame", "--porcelain",
                                fmt::format("-L{0},{0}", line), tip, "--", path}));
  if (!run.ok()) return std::optional<Blamed>();
  Blamed out;
  out.commit = run.out.substr(0, run.out.find(' '));
  constexpr std::string_view kPrevious = "\nprevious ";
  if (const std::size_t at = run.out.find(kPrevious); at != std::string::npos) {
    const std::size_t id = at + kPrevious.size(), space = run.out.find(' ', id);
    out.before = run.out.substr(id, space - id);
    out.path_before = run.out.substr(space + 1, run.out.find('\n', space) - space - 1);
  }
  return std::optional<Blamed>(std::move(out));
}

Result<bool> HasContained(const Repository& repository, const std::string& branch,
                          const Oid& commit) {
  TRY(const auto reflog, Command::Run(repository, {"log", "--walk-reflogs", "--format=^%H",
                                                   "refs/heads/" + branch, "--"}));
  if (!reflog.ok() || reflog.out.empty()) return false;
  // git rev-list prints `commit` only if it is not reachable from a former tip of the branch.
  ProcessOptions options;
  options.input = commit + "\n" + reflog.out;
  TRY(const auto left,
      Command::Run(repository, {"rev-list", "--max-count=1", "--stdin"}, std::move(options)));
  return left.ok() && left.out.empty();
}

Result<std::vector<std::string>> PredictConflicts(const Repository& repository,
                                                  const std::string& driver, const Oid& ours,
                                                  const Oid& theirs) {
  TRY(const auto run,
      Command::Run(repository, {"-c", driver, "merge-tree", "--write-tree", "--name-only",
                                "--no-messages", "-z", ours, theirs}));
  // Either there is no conflict, or git is older than 2.38.
  if (run.status != 1) return std::vector<std::string>();
  std::vector<std::string> paths = SplitAtNul(run.out);
  if (!paths.empty()) paths.erase(paths.begin());  // git prints the id of the merged tree first
  std::erase(paths, "");
  return paths;
}

}  // namespace revctl::git
