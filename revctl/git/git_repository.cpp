// Implements Repository with `git` processes, for repositories that libgit2 1.5 cannot fully read:
// worktreeConfig, sha256, reftable, partial clones, GIT_WORK_TREE. This implementation is slower
// than libgit2, but reads every repository correctly.
#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <set>
#include <variant>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/git/command.h"

namespace revctl::git {
namespace {

/// A file or a symbolic link in a commit.
struct FileThere {
  Oid id;
  std::uint64_t bytes = 0;
  bool is_link = false;
};

class GitRepository : public Repository {
 public:
  GitRepository(std::string root, std::string git_dir, std::string common_dir) {
    root_ = std::move(root);
    git_dir_ = std::move(git_dir);
    common_dir_ = std::move(common_dir);
  }

  Result<std::optional<Oid>> Resolve(std::string_view ref) const override { return RevParse(ref); }

  Result<std::optional<Oid>> RevParse(std::string_view what) const override {
    TRY(auto run, Git({"rev-parse", "--quiet", "--verify", "--end-of-options",
                       std::string(what) + "^{commit}"}));
    // git exits with a status other than 1 for "@{upstream}" if the branch has no upstream.
    if (run.status == 1 || (!run.ok() && what.find("@{") != what.npos)) return std::optional<Oid>();
    if (!run.ok())
      return Error{Exit::Environment, fmt::format("cannot read {}: {}", what, LastLines(run.err)),
                   ""};
    return std::optional<Oid>(FirstLine(run.out));
  }

  Result<std::vector<std::pair<std::string, Oid>>> Refs(std::string_view prefix) const override {
    TRY(const auto text,
        Ask({"for-each-ref", "--format=%(objectname) %(refname)"}, "cannot list refs"));
    std::vector<std::pair<std::string, Oid>> out;
    for (const std::string& line : Lines(text)) {
      const std::size_t blank = line.find(' ');
      std::string name = line.substr(blank + 1);
      if (name.starts_with(prefix)) out.emplace_back(std::move(name), line.substr(0, blank));
    }
    return out;
  }

  Result<std::optional<std::string>> ReadFile(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto file, FileAt(commit, path));
    if (!file) return std::optional<std::string>();
    if (file->is_link) {
      return Error{
          Exit::Usage,
          fmt::format("{} at {} is a symbolic link, not a file", path, commit.substr(0, 10)), ""};
    }
    if (file->bytes > kMostBytes) return TooLarge(path, commit, file->bytes);
    TRY(auto blob, Ask({"cat-file", "blob", file->id},
                       fmt::format("cannot read {} at {}", path, commit.substr(0, 10))));
    return std::optional<std::string>(std::move(blob));
  }

  Result<std::optional<std::uint64_t>> SizeOf(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto file, FileAt(commit, path));
    return file ? std::optional(file->bytes) : std::nullopt;
  }

  Result<std::vector<TreeFile>> ListFiles(const Oid& commit,
                                          std::string_view folder) const override {
    const std::string prefix = folder.empty() ? "" : std::string(folder) + "/";
    std::vector<std::string> arguments = {"ls-tree", "-r", "-z", "--full-tree", commit};
    if (!prefix.empty()) arguments.insert(arguments.end(), {"--", prefix});
    TRY(auto listed, Ask(arguments, "cannot list " + prefix));
    std::vector<TreeFile> out;
    for (const std::string& line : SplitAtNul(listed)) {
      const std::size_t tab = line.find('\t');
      const std::size_t id = tab == std::string::npos ? tab : line.rfind(' ', tab);
      const bool is_file = line.compare(std::min(line.find(' '), line.size()), 6, " blob ") == 0;
      if (id != std::string::npos && is_file && line.substr(tab + 1).starts_with(prefix)) {
        out.push_back({line.substr(tab + 1 + prefix.size()), line.substr(id + 1, tab - id - 1)});
      }
    }
    std::sort(out.begin(), out.end(),
              [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
    return out;
  }

  Result<std::optional<std::uint32_t>> ModeOf(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto listed, Ask({"ls-tree", "-z", "--full-tree", commit, "--", std::string(path)},
                               fmt::format("cannot read the tree of {}", commit)));
    if (listed.empty()) return std::optional<std::uint32_t>();
    return std::optional(static_cast<std::uint32_t>(std::strtoul(listed.c_str(), nullptr, 8)));
  }

  Result<std::vector<Found>> FilesNamed(const std::vector<Oid>& commits,
                                        const WantedName& wanted) const override {
    std::vector<Found> out;
    std::set<std::string> seen;
    for (const Oid& commit : commits) {
      TRY(auto files, ListFiles(commit, ""));
      for (TreeFile& file : files) {
        if (wanted(base::FileName(file.path)) && seen.insert(file.id + file.path).second)
          out.push_back({std::move(file), commit});
      }
    }
    return out;
  }

  Result<base::Done> CheckPaths(const Oid& commit) const override {
    ProcessOptions options;
    options.max_output = kMostBytes;
    const auto listed =
        Git({"ls-tree", "-r", "-t", "-z", "--name-only", "--full-tree", commit}, options);
    if (!listed.ok()) return TooManyPaths(commit);
    return base::Done{};
  }

  Result<CommitInfo> ReadCommit(const Oid& id) const override { return CommitOfGit(id); }

  Result<std::optional<Oid>> MergeBase(const Oid& one, const Oid& two) const override {
    return MergeBaseOfGit(one, two);
  }

  Result<bool> IsAncestor(const Oid& old, const Oid& young) const override {
    return AncestorOfGit(old, young);
  }

  Result<std::vector<CommitParents>> CommitsSince(const Oid& known, const Oid& tip) const override {
    return CommitsSinceOfGit(known, tip);
  }

  Result<std::optional<std::string>> ConfigValue(const std::string& key) const override {
    return ConfigOfGit(key);
  }

  Result<std::optional<std::string>> HeadBranch() const override {
    TRY(auto run, Git({"symbolic-ref", "--quiet", "--short", "HEAD"}));
    if (run.status == 1) return std::optional<std::string>();
    if (!run.ok()) return Error{Exit::Environment, "cannot read HEAD: " + LastLines(run.err), ""};
    return std::optional<std::string>(FirstLine(run.out));
  }

  Result<Oid> WriteCommit(const NewCommit& wanted) override {
    std::string tree;
    for (const auto& [name, content] : wanted.files) {
      TRY(auto blob, Ask({"hash-object", "-w", "--stdin"}, "cannot store " + name, content));
      tree += "100644 blob " + FirstLine(blob) + "\t" + name + '\0';
    }
    TRY(auto tree_id, Ask({"mktree", "-z"}, "cannot store a tree", tree));
    // The message is UTF-8, regardless of the encoding that the user configured.
    std::vector<std::string> arguments = {
        "-c", "i18n.commitEncoding=UTF-8", "commit-tree", FirstLine(tree_id), "-F", "-"};
    if (wanted.parent) arguments.insert(arguments.end(), {"-p", *wanted.parent});
    ProcessOptions options;
    options.input = wanted.message;
    options.environment = {
        "GIT_AUTHOR_NAME=" + wanted.author.name, "GIT_AUTHOR_EMAIL=" + wanted.author.email,
        "GIT_COMMITTER_NAME=" + wanted.author.name, "GIT_COMMITTER_EMAIL=" + wanted.author.email};
    TRY(const auto id, Output(Git(arguments, options), "cannot store a commit: "));
    return FirstLine(id);
  }

  Result<bool> UpdateRef(const std::string& ref, const Oid& id,
                         const std::optional<Oid>& old) override {
    const std::string none(id.size(), '0');
    TRY(auto run, Git({"update-ref", "-m", "revctl", "--no-deref", ref, id, old.value_or(none)}));
    if (run.ok()) return true;
    // Read the ref's current value to find out whether `old` did not match or something else
    // failed.
    TRY(auto now, RevParse(ref));
    // If another process holds the ref's lock, this process has lost the race, too.
    if (now != old || run.err.find(".lock'") != std::string::npos) return false;
    return Error{Exit::Environment, fmt::format("cannot move {}: {}", ref, LastLines(run.err)), ""};
  }

  Result<base::Done> DeleteRef(const std::string& ref) override {
    TRY(Ask({"update-ref", "-d", "--no-deref", ref}, "cannot delete " + ref));
    return base::Done{};
  }

  Result<std::string> Normalized(const std::string& path, const std::string& bytes) const override {
    if (bare()) return bytes;
    const std::string failed = fmt::format("git filters failed for {}", path);
    // First run the filters without writing an object: most files have no filter, and the disk may
    // be read-only.
    TRY(auto filtered, Ask({"hash-object", "--stdin", "--path=" + path}, failed, bytes));
    TRY(auto same, BlobId(bytes));
    if (FirstLine(filtered) == same) return bytes;
    TRY(auto id, Ask({"hash-object", "-w", "--stdin", "--path=" + path}, failed, bytes));
    return Ask({"cat-file", "blob", FirstLine(id)}, "cannot read back " + path);
  }

  Result<Oid> BlobId(const std::string& bytes) const override {
    TRY(auto id, Ask({"hash-object", "--stdin"}, "git returned no hash", bytes));
    return FirstLine(id);
  }

 private:
  Result<std::string> Ask(std::vector<std::string> arguments, const std::string& failed,
                          const std::string& input = "") const {
    ProcessOptions options;
    options.input = input;
    return Output(Git(std::move(arguments), options), failed + ": ");
  }

  Result<std::optional<FileThere>> FileAt(const Oid& commit, std::string_view path) const {
    TRY(const auto listed,
        Ask({"ls-tree", "-l", "-z", "--full-tree", commit, "--", std::string(path)},
            fmt::format("cannot read the tree of {}", commit)));
    // ls-tree prints "MODE TYPE OID SIZE\tPATH\0", with SIZE padded on the left.
    const std::size_t type = listed.find(' '),
                      id = type == std::string::npos ? type : listed.find(' ', type + 1);
    if (id == std::string::npos || listed.compare(type + 1, 5, "blob ") != 0)
      return std::optional<FileThere>();
    const std::size_t size = listed.find(' ', id + 1);
    return std::optional<FileThere>({listed.substr(id + 1, size - id - 1),
                                     std::strtoull(listed.c_str() + size, nullptr, 10),
                                     listed.starts_with("120000 ")});
  }
};

/// True if the environment contains variables that change paths and that libgit2 1.5 ignores or
/// interprets differently from git.
bool OnlyGitReadsEnvironment() {
  const auto variable = [](const char* name) { return std::getenv(name) != nullptr; };
  if (variable("GIT_WORK_TREE") || variable("GIT_COMMON_DIR") || variable("GIT_NAMESPACE"))
    return true;
  // If GIT_DIR is set, as in a server-side hook, libgit2 does honor the variables for object
  // directories.
  return !variable("GIT_DIR") &&
         (variable("GIT_OBJECT_DIRECTORY") || variable("GIT_ALTERNATE_OBJECT_DIRECTORIES"));
}

}  // namespace

Result<std::unique_ptr<Repository>> OpenWithGit(const std::string& directory) {
  ProcessOptions options;
  options.directory = directory;
  auto ask = [&](const std::string& what) -> Result<ProcessResult> {
    return RunGit({"rev-parse", "--path-format=absolute", what}, options);
  };
  const std::string without =
      "; these commands work without a repository: check --before, fold --in, sync --in";
  auto asked = ask("--absolute-git-dir");
  if (!asked.ok()) {  // git is not installed or not in PATH
    asked.error().fix += without;
    return asked.error();
  }
  const ProcessResult git_dir = std::move(*asked);
  if (!git_dir.ok()) {
    const std::string why = LastLines(git_dir.err);
    if (why.find("not a git repository") != std::string::npos) {
      return Error{Exit::Environment,
                   directory + ": no git repository here or in any parent folder",
                   "git init, or revctl -C DIR" + without};
    }
    const bool foreign = why.find("safe.directory") != std::string::npos;
    return Error{Exit::Environment,
                 fmt::format("{}: git cannot open the repository here: {}", directory, why),
                 foreign ? "if you trust the repository's owner, run the `git config` command above"
                         : fmt::format("git -C {} status", base::ShellWord(directory))};
  }
  TRY(auto common, ask("--git-common-dir"));
  TRY(const auto root, ask("--show-toplevel"));  // git fails here in a bare repository
  return std::unique_ptr<Repository>(std::make_unique<GitRepository>(
      root.ok() ? FirstLine(root.out) : "", FirstLine(git_dir.out), FirstLine(common.out)));
}

Result<std::unique_ptr<Repository>> OpenRepository(const std::string& directory) {
  // If libgit2 fails, let git decide and report the error, because libgit2 reports "not found" for
  // a repository that is owned by another user.
  if (!OnlyGitReadsEnvironment()) {
    auto opened = OpenWithLibgit2(directory);
    if (auto* repository = std::get_if<std::unique_ptr<Repository>>(&opened))
      return std::move(*repository);
  }
  return OpenWithGit(directory);
}

}  // namespace revctl::git
