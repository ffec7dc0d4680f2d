#include "revctl/setup/list_attributes.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "revctl/base/file.h"
#include "revctl/base/process.h"
#include "revctl/base/scratch_folder.h"
#include "revctl/config/files.h"
#include "revctl/setup/merge_attributes.h"

namespace revctl::commands {
namespace {

/// git config: the lines that install has added, and uninstall may take away. Those of another file
/// than the root's stand behind its name and a tab.
constexpr const char *kAdded = "revctl.attribute", *kAddedIn = "revctl.attributein";
constexpr const char* kRootFile = ".gitattributes";
/// As `record` of the harness writes them, too.
constexpr struct {
  const char *ending, *line;
} kGoldenLines[] = {{".golden", "*.golden binary diff=revctl-golden merge=revctl"},
                    {".yaml", "*.yaml merge=revctl"}};

/// The text as it was before the lines were added at its end.
std::string WithoutLines(std::string text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (text == line || text.ends_with("\n" + line)) {
      text.erase(text.size() - line.size() - (text == line ? 0 : 1));
    } else if (text.starts_with(line + "\n")) {
      text.erase(0, line.size() + 1);
    } else if (const std::size_t at = text.find("\n" + line + "\n"); at != std::string::npos) {
      text.erase(at + 1, line.size() + 1);
    }
  }
  return text;
}

/// What is left of a file: none where nothing is, since install had made it.
Result<Done> Leave(const std::string& file, const std::string& text) {
  if (!text.empty()) return config::ReplaceFile(file, text);
  if (auto removed = base::RemoveFile(file); !removed) return base::InMessage(removed.error());
  return Done{};
}

}  // namespace

Result<Done> SetLocalConfig(const git::Repository& repository, std::vector<std::string> arguments) {
  const std::string what = arguments[0] + " " + arguments[1];
  arguments.insert(arguments.begin(), {"config", "--local"});
  TRY(auto run, repository.Git(std::move(arguments)));
  if (!run.ok())
    return Error{Exit::Environment,
                 fmt::format("git config {} failed: {}", what, git::LastLines(run.err)),
                 "look at the repository's config, then again"};
  return Done{};
}

std::string ListAttributes::FilePath(const std::string& file) const {
  return workspace_.repository().root() + "/" + file;
}

std::string ListAttributes::Line(const list::ListConfig& list) const {
  return ListNames::AttributeLine(workspace_.GitPath(list.path));
}

Result<bool> ListAttributes::Has(const list::ListConfig& list) const {
  const git::Repository& repository = workspace_.repository();
  TRY(auto noted, ListNames(repository).Noted());
  const std::vector<std::string> question{"check-attr", "-z", "merge", "--",
                                          workspace_.GitPath(list.path)};
  TRY(auto run, noted.contains(Line(list)) ? AskWithoutNotes(question) : repository.Git(question));
  if (!run.ok())
    return Error{Exit::Environment, "git check-attr failed: " + git::LastLines(run.err), ""};
  return run.out.ends_with(std::string("merge\0revctl\0", 13));
}

/// git's answer in the same work tree as another repository, whose info/attributes is not there.
Result<base::ProcessResult> ListAttributes::AskWithoutNotes(
    const std::vector<std::string>& question) const {
  TRY(auto folder, base::ScratchFolder::Make());
  base::ProcessOptions options;
  options.directory = workspace_.repository().root();
  options.environment = {"GIT_DIR=" + folder.path(), "GIT_WORK_TREE=" + options.directory,
                         "GIT_COMMON_DIR", "GIT_INDEX_FILE"};
  auto run = git::RunGit({"init", "-q", "--template="}, options);
  if (run.ok() && run->ok()) run = git::RunGit(question, options);
  return run;
}

Result<std::vector<std::string>> ListAttributes::MissingForGoldens(
    const list::ListConfig& list) const {
  std::vector<std::string> out;
  std::error_code error;
  if (list.golden.empty() ||
      !std::filesystem::is_directory(workspace_.FilePath(list.golden), error))
    return out;
  std::vector<std::string> question{"check-attr", "-z", "merge", "--"};
  for (const auto& kind : kGoldenLines)
    question.push_back(workspace_.GitPath(list.golden) + "/revision" + kind.ending);
  TRY(auto run, workspace_.repository().Git(question));
  if (!run.ok())
    return Error{Exit::Environment, "git check-attr failed: " + git::LastLines(run.err), ""};
  for (const auto& kind : kGoldenLines) {
    const std::string says = std::string(kind.ending) + std::string("\0merge\0revctl\0", 14);
    if (run.out.find(says) == std::string::npos) out.emplace_back(kind.line);
  }
  return out;
}

Result<Done> ListAttributes::Add(const std::string& file, const std::string& line,
                                 std::vector<std::string>& done) const {
  const std::string path = FilePath(file);
  TRY(config::RefuseLink(path, file));
  TRY(auto before, config::ReadPlainFile(path, config::kMaxConfigBytes));
  std::string text = before.value_or("");
  // A file without a final newline stays one, so that taking the line away again restores it to
  // the byte.
  const bool open_end = !text.empty() && text.back() != '\n';
  text += (open_end ? "\n" : "") + line + (open_end ? "" : "\n");
  const bool root = file == kRootFile;
  TRY(SetLocalConfig(workspace_.repository(),
                     {"--add", root ? kAdded : kAddedIn, root ? line : file + "\t" + line}));
  TRY(config::ReplaceFile(path, text));
  done.push_back(fmt::format("{}: {}   (commit it)", file, line));
  return Done{};
}

Result<Done> ListAttributes::Install(std::vector<std::string>& done) const {
  for (const auto& list : workspace_.config().lists) {
    TRY(auto has, Has(list));
    if (!has) {
      auto added = Add(kRootFile, Line(list), done);
      if (!added.ok()) return added;
    }
    TRY(auto missing, MissingForGoldens(list));
    for (const std::string& line : missing) {
      const std::string folder = workspace_.GitPath(list.golden);
      if (!base::ResolvedPath(FilePath(folder))
               .starts_with(base::ResolvedPath(workspace_.repository().root()) + "/"))
        return Error{Exit::Usage, folder + ": leads out of the repository",
                     "mend `golden` in .revctl.yaml"};
      auto added = Add(folder + "/" + kRootFile, line, done);
      if (!added.ok()) return added;
    }
  }
  return Done{};
}

Result<ListAttributes::Lines> ListAttributes::Added() const {
  Lines out;
  for (const char* key : {kAdded, kAddedIn}) {
    TRY(auto listed, workspace_.repository().Git({"config", "--local", "-z", "--get-all", key}));
    for (std::size_t at = 0; at < listed.out.size(); at = listed.out.find('\0', at) + 1) {
      const std::string line = listed.out.c_str() + at;
      const std::size_t tab = key == kAdded ? std::string::npos : line.rfind('\t');
      if (tab == std::string::npos) {
        out[kRootFile].push_back(line);
      } else {
        out[line.substr(0, tab)].push_back(line.substr(tab + 1));
      }
    }
  }
  return out;
}

Result<Done> ListAttributes::Uninstall(std::vector<std::string>& done) const {
  TRY(auto added, Added());
  for (const auto& [file, lines] : added) {
    // Before they are forgotten: the same command, once the link is gone, takes them away.
    TRY(config::RefuseLink(FilePath(file), file));
  }
  for (const char* key : {kAdded, kAddedIn}) {
    const bool any = std::any_of(added.begin(), added.end(), [&](const auto& one) {
      return (one.first == kRootFile) == (key == kAdded);
    });
    if (!any) continue;
    TRY(SetLocalConfig(workspace_.repository(), {"--unset-all", key}));
  }
  added[kRootFile];  // spoken of in any case
  for (const auto& [file, lines] : added) {
    auto elsewhere = UninstallElsewhere(file, lines, done);
    if (!elsewhere.ok()) return elsewhere;
    auto here = UninstallHere(file, lines, done);
    if (!here.ok()) return here;
  }
  return Done{};
}

Result<Done> ListAttributes::UninstallHere(const std::string& file,
                                           const std::vector<std::string>& lines,
                                           std::vector<std::string>& done) const {
  TRY(auto before, config::ReadPlainFile(FilePath(file), config::kMaxConfigBytes));
  if (!before.has_value()) return Done{};
  const std::string text = WithoutLines(*before, lines);
  if (text == *before) {
    // It came with the clone: without it in a commit, the driver would be off for the whole team.
    for (const auto& list : workspace_.config().lists) {
      const bool there = ("\n" + text + "\n").find("\n" + Line(list) + "\n") != std::string::npos;
      if (there && !done.empty() && file == kRootFile)
        done.push_back(fmt::format(
            ".gitattributes: {} stays: it was there before, and is the team's", Line(list)));
    }
    return Done{};
  }
  TRY(Leave(FilePath(file), text));
  done.push_back(file + ": lines of revctl removed");
  return Done{};
}

/// Install may have been run in another work tree of this clone. What is committed there is that
/// branch's.
Result<Done> ListAttributes::UninstallElsewhere(const std::string& name,
                                                const std::vector<std::string>& lines,
                                                std::vector<std::string>& done) const {
  TRY(auto roots, WorkTrees());
  for (const std::string& root : roots) {
    const std::string file = root + "/" + name;
    if (base::ResolvedPath(root) == base::ResolvedPath(workspace_.repository().root())) continue;
    if (!config::RefuseLink(file, file).ok()) continue;  // git reads none through a link
    TRY(auto before, config::ReadPlainFile(file, config::kMaxConfigBytes));
    if (!before.has_value()) continue;
    base::ProcessOptions there;
    there.directory = root;
    TRY(auto committed, git::RunGit({"show", "HEAD:./" + name}, there));
    std::vector<std::string> added = lines;
    std::erase_if(added, [&](const std::string& line) {
      return ("\n" + committed.out + "\n").find("\n" + line + "\n") != std::string::npos;
    });
    const std::string text = WithoutLines(*before, added);
    if (text == *before) continue;
    TRY(Leave(file, text));
    done.push_back(file + ": lines of revctl removed");
  }
  return Done{};
}

Result<std::vector<std::string>> ListAttributes::WorkTrees() const {
  TRY(auto listed, workspace_.repository().Git({"worktree", "list", "--porcelain"}));
  constexpr std::string_view kWord = "worktree ";
  std::vector<std::string> out;
  for (std::size_t at = 0; at < listed.out.size();) {
    const std::size_t end = std::min(listed.out.find('\n', at), listed.out.size());
    const std::string line = listed.out.substr(at, end - at);
    if (line.starts_with(kWord)) out.push_back(line.substr(kWord.size()));
    at = end + 1;
  }
  return out;
}

Result<bool> ListAttributes::NoteNames() const {
  const git::Repository& repository = workspace_.repository();
  std::vector<git::Oid> tips;
  for (const char* prefix : {"refs/heads/", "refs/remotes/"}) {
    TRY(auto branches, repository.Refs(prefix));
    for (const auto& branch : branches) tips.push_back(branch.second);
  }
  const ListNames names(repository);
  std::set<std::string> lines = names.LinesAt(tips, workspace_.GitPath(""));
  for (const auto& list : workspace_.config().lists) lines.insert(Line(list));
  return names.Note(lines, true);
}

}  // namespace revctl::commands
