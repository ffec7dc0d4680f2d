#include "revctl/commands/list_attributes.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "revctl/commands/list_names.h"
#include "revctl/config/files.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Error;
using findings::Exit;
using findings::Result;

constexpr const char* kAdded = "revctl.attribute";  ///< git config: the lines that install has
                                                    ///< added, and uninstall may take away

Error FileError(const std::string& path, const std::string& doing) {
  return {Exit::Environment,
          path + ": " + doing + ": " + std::error_code(errno, std::generic_category()).message(),
          ""};
}

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
  if (::unlink(file.c_str()) != 0) return FileError(file, "cannot be removed");
  return Done{};
}

}  // namespace

Result<Done> SetLocalConfig(const git::Repository& repository, std::vector<std::string> arguments) {
  const std::string what = arguments[0] + " " + arguments[1];
  arguments.insert(arguments.begin(), {"config", "--local"});
  auto run = repository.Git(std::move(arguments));
  if (!run.ok()) return run.error();
  if (!run->ok())
    return Error{Exit::Environment, "git config " + what + " failed: " + git::Talk(run->err),
                 "look at the repository's config, then again"};
  return Done{};
}

std::string ListAttributes::File() const {
  return workspace_.repository().root() + "/.gitattributes";
}

std::string ListAttributes::Line(const list::ListConfig& list) const {
  return ListNames::AttributeLine(workspace_.GitPath(list.path));
}

Result<bool> ListAttributes::Has(const list::ListConfig& list) const {
  const git::Repository& repository = workspace_.repository();
  auto noted = ListNames(repository).Noted();
  if (!noted.ok()) return noted.error();
  const std::vector<std::string> question{"check-attr", "-z", "merge", "--",
                                          workspace_.GitPath(list.path)};
  auto run = noted->contains(Line(list)) ? AskWithoutNotes(question) : repository.Git(question);
  if (!run.ok()) return run.error();
  if (!run->ok())
    return Error{Exit::Environment, "git check-attr failed: " + git::Talk(run->err), ""};
  return run->out.ends_with(std::string("merge\0revctl\0", 13));
}

/// git's answer in the same work tree as another repository, whose info/attributes is not there.
Result<git::ProcessResult> ListAttributes::AskWithoutNotes(
    const std::vector<std::string>& question) const {
  std::error_code error;
  std::string folder = (std::filesystem::temp_directory_path(error) / "revctl-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return FileError(folder, "cannot be made");
  git::ProcessOptions options;
  options.directory = workspace_.repository().root();
  options.environment = {"GIT_DIR=" + folder, "GIT_WORK_TREE=" + options.directory,
                         "GIT_COMMON_DIR", "GIT_INDEX_FILE"};
  auto run = git::RunGit({"init", "-q", "--template="}, options);
  if (run.ok() && run->ok()) run = git::RunGit(question, options);
  std::filesystem::remove_all(folder, error);
  return run;
}

Result<Done> ListAttributes::Install(std::vector<std::string>& done) const {
  for (const auto& list : workspace_.config().lists) {
    auto has = Has(list);
    if (!has.ok()) return has.error();
    if (*has) continue;
    auto own = config::RefuseLink(File(), ".gitattributes");
    if (!own.ok()) return own.error();
    auto before = config::ReadFile(File(), config::kMaxConfigBytes);
    if (!before.ok()) return before.error();
    std::string text = before->value_or("");
    // A file without a final newline stays one, so that taking the line away again restores it to
    // the byte.
    const bool open_end = !text.empty() && text.back() != '\n';
    text += (open_end ? "\n" : "") + Line(list) + (open_end ? "" : "\n");
    auto noted = SetLocalConfig(workspace_.repository(), {"--add", kAdded, Line(list)});
    if (!noted.ok()) return noted.error();
    auto written = config::ReplaceFile(File(), text);
    if (!written.ok()) return written.error();
    done.push_back(".gitattributes: " + Line(list) + "   (commit it)");
  }
  return Done{};
}

Result<Done> ListAttributes::Uninstall(std::vector<std::string>& done) const {
  auto listed = workspace_.repository().Git({"config", "--local", "-z", "--get-all", kAdded});
  if (!listed.ok()) return listed.error();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < listed->out.size(); at = listed->out.find('\0', at) + 1)
    lines.emplace_back(listed->out.c_str() + at);
  if (!lines.empty()) {
    // Before they are forgotten: the same command, once the link is gone, takes them away.
    auto own = config::RefuseLink(File(), ".gitattributes");
    if (!own.ok()) return own.error();
    auto forgotten = SetLocalConfig(workspace_.repository(), {"--unset-all", kAdded});
    if (!forgotten.ok()) return forgotten.error();
  }
  auto elsewhere = UninstallElsewhere(lines, done);
  if (!elsewhere.ok()) return elsewhere.error();
  auto before = config::ReadFile(File(), config::kMaxConfigBytes);
  if (!before.ok()) return before.error();
  if (!before->has_value()) return Done{};
  const std::string text = WithoutLines(**before, lines);
  if (text == **before) {
    // It came with the clone: without it in a commit, the driver would be off for the whole team.
    for (const auto& list : workspace_.config().lists) {
      const bool there = ("\n" + text + "\n").find("\n" + Line(list) + "\n") != std::string::npos;
      if (there && !done.empty())
        done.push_back(".gitattributes: " + Line(list) +
                       " stays: it was there before, and is the team's");
    }
    return Done{};
  }
  auto left = Leave(File(), text);
  if (!left.ok()) return left.error();
  done.push_back(".gitattributes: lines of revctl removed");
  return Done{};
}

/// Install may have been run in another work tree of this clone. What is committed there is that
/// branch's.
Result<Done> ListAttributes::UninstallElsewhere(const std::vector<std::string>& lines,
                                                std::vector<std::string>& done) const {
  auto roots = WorkTrees();
  if (!roots.ok()) return roots.error();
  for (const std::string& root : *roots) {
    const std::string file = root + "/.gitattributes";
    if (config::ResolvedPath(root) == config::ResolvedPath(workspace_.repository().root()))
      continue;
    if (!config::RefuseLink(file, file).ok()) continue;  // git reads none through a link
    auto before = config::ReadFile(file, config::kMaxConfigBytes);
    if (!before.ok()) return before.error();
    if (!before->has_value()) continue;
    git::ProcessOptions there;
    there.directory = root;
    auto committed = git::RunGit({"show", "HEAD:./.gitattributes"}, there);
    if (!committed.ok()) return committed.error();
    std::vector<std::string> added = lines;
    std::erase_if(added, [&](const std::string& line) {
      return ("\n" + committed->out + "\n").find("\n" + line + "\n") != std::string::npos;
    });
    const std::string text = WithoutLines(**before, added);
    if (text == **before) continue;
    auto left = Leave(file, text);
    if (!left.ok()) return left.error();
    done.push_back(file + ": lines of revctl removed");
  }
  return Done{};
}

Result<std::vector<std::string>> ListAttributes::WorkTrees() const {
  auto listed = workspace_.repository().Git({"worktree", "list", "--porcelain"});
  if (!listed.ok()) return listed.error();
  constexpr std::string_view kWord = "worktree ";
  std::vector<std::string> out;
  for (std::size_t at = 0; at < listed->out.size();) {
    const std::size_t end = std::min(listed->out.find('\n', at), listed->out.size());
    const std::string line = listed->out.substr(at, end - at);
    if (line.starts_with(kWord)) out.push_back(line.substr(kWord.size()));
    at = end + 1;
  }
  return out;
}

Result<bool> ListAttributes::NoteNames() const {
  const git::Repository& repository = workspace_.repository();
  std::vector<git::Oid> tips;
  for (const char* prefix : {"refs/heads/", "refs/remotes/"}) {
    auto branches = repository.Refs(prefix);
    if (!branches.ok()) return branches.error();
    for (const auto& branch : *branches) tips.push_back(branch.second);
  }
  const ListNames names(repository);
  std::set<std::string> lines = names.LinesAt(tips, workspace_.GitPath(""));
  for (const auto& list : workspace_.config().lists) lines.insert(Line(list));
  return names.Note(lines, true);
}

}  // namespace revctl::commands
