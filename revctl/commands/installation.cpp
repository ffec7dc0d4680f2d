#include "revctl/commands/installation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "revctl/commands/list_names.h"
#include "revctl/config/files.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Error;
using findings::Exit;
using findings::Result;

constexpr std::string_view kMark = "# revctl: set up by `revctl install`, taken away by `revctl uninstall`.";
constexpr std::string_view kKept = ".before-revctl";
constexpr const char* kDriverName = "revctl: merges revision lists";
constexpr const char* kAdded = "revctl.attribute";  ///< git config: the lines that install has added, and uninstall may take away
constexpr std::size_t kMaxHookBytes = std::size_t{16} << 20;

std::string ShellQuoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// `revctl`, where the shell finds this very program by that name; else its full name, quoted.
std::string HowToCall(const std::string& program) {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string candidate = rest.substr(0, end) + "/revctl";
    rest.erase(0, std::min(end + 1, rest.size()));
    if (::access(candidate.c_str(), X_OK) != 0) continue;
    if (config::ResolvedPath(candidate) == self || self.empty()) return "revctl";
    break;
  }
  if (!self.empty()) return ShellQuoted(self);
  return program.find('/') == std::string::npos ? "revctl" : ShellQuoted(config::ResolvedPath(program));
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

bool IsOurs(const std::string& text) { return text.find(kMark) != std::string::npos; }

Error SystemError(const std::string& path, const std::string& doing) {
  return {Exit::Environment, path + ": " + doing + ": " + std::error_code(errno, std::generic_category()).message(), ""};
}

}  // namespace

Installation::Installation(const Workspace& workspace, std::string program)
    : workspace_(workspace), command_(HowToCall(program)) {}

/// Run by git through a shell, which has quoted %P. Where revctl is missing, crashes or is killed, git's own merge is made,
/// and no status above 1 reaches git: above 128 it would leave our side without a marker.
std::string Installation::DriverLine() const {
  return command_ + " merge-driver -- %O %A %B %L %P; s=$?; if [ $s -gt 1 ]; then git merge-file --marker-size=%L %A %O %B; s=$?; " +
         "[ $s -eq 0 ] || s=1; fi; exit $s";
}

/// All hooks begin alike. What was there before runs first; a shell script under the name that it had, since dispatchers look at
/// theirs (`"$0".d/*`, `case $(basename "$0")`). Others see the name under which they are kept.
std::string Installation::HookHead() const {
  return "#!/bin/sh\n" + std::string(kMark) +
         "\n# A hook that was here before is kept beside this one and runs first.\n"
         "before=$0" + std::string(kKept) +
         "\nrun_before() {\n"
         "  read -r line <\"$before\" || :\n"
         "  case ${line%% -*} in\n"
         "    '#!'*/sh | '#!'*/bash | '#!'*/dash | '#!'*/ksh | '#!'*/env\\ sh | '#!'*/env\\ bash)\n"
         "      REVCTL_BEFORE=$before ${line#??} -c '. \"$REVCTL_BEFORE\"' \"$0\" \"$@\" ;;\n"
         "    *) \"$before\" \"$@\" ;;\n"
         "  esac\n"
         "}\n";
}

std::vector<Installation::Hook> Installation::Hooks() const {
  const std::string head = HookHead();
  const std::string guard = "[ \"$REVCTL\" = 0 ] && exit 0\ncommand -v " + command_ + " >/dev/null 2>&1 || exit 0\n";
  const std::string commit = head + "if [ -x \"$before\" ]; then run_before \"$@\" || exit $?; fi\n" + guard +
                             "exec " + command_ + " check --quiet --staged\n";
  const std::string push = head + "pushed=$(cat; echo x)\npushed=${pushed%x}\n" +
                           "if [ -x \"$before\" ]; then printf %s \"$pushed\" | run_before \"$@\" || exit $?; fi\n" + guard +
                           "printf %s \"$pushed\" | " + command_ + " check --quiet --pushed\n";
  // Called for every change of a ref: mostly it ends at once.
  const std::string seen = head + "[ -x \"$before\" ] || [ \"$1\" = committed ] || exit 0\nmoved=$(cat; echo x)\nmoved=${moved%x}\n" +
                           "if [ -x \"$before\" ]; then printf %s \"$moved\" | run_before \"$@\" || exit $?; fi\n" +
                           "case $1$moved in committed*' refs/remotes/'*) ;; *) exit 0 ;; esac\n" + guard +
                           "printf %s \"$moved\" | " + command_ + " --quiet install --seen\nexit 0\n";
  return {{"pre-commit", commit}, {"pre-push", push}, {"reference-transaction", seen}};
}

Result<std::string> Installation::HooksFolder() const {
  auto run = workspace_.repository().Git({"rev-parse", "--path-format=absolute", "--git-path", "hooks"});
  if (!run.ok()) return run.error();
  if (!run->ok()) return Error{Exit::Environment, "git does not say where hooks are: " + git::Talk(run->err), ""};
  return run->out.substr(0, run->out.find('\n'));
}

std::string Installation::WhyNotHooks(const std::string& folder) const {
  const std::string common = config::ResolvedPath(workspace_.repository().common_dir());
  if (config::ResolvedPath(folder).starts_with(common + "/")) return "";
  return "core.hooksPath is " + folder + ", which is shared; call `revctl check --staged` from the pre-commit hook there";
}

std::string Installation::AttributesFile() const { return workspace_.repository().root() + "/.gitattributes"; }

std::string Installation::AttributeLine(const list::ListConfig& list) const { return ListNames::AttributeLine(workspace_.GitPath(list.path)); }

/// Does .gitattributes, which is everybody's, name the driver for this list? What this clone alone has noted does not count.
Result<bool> Installation::HasAttribute(const list::ListConfig& list) const {
  const git::Repository& repository = workspace_.repository();
  auto noted = ListNames(repository).Noted();
  if (!noted.ok()) return noted.error();
  const std::vector<std::string> question{"check-attr", "-z", "merge", "--", workspace_.GitPath(list.path)};
  auto run = noted->contains(AttributeLine(list)) ? AskWithoutNotes(question) : repository.Git(question);
  if (!run.ok()) return run.error();
  if (!run->ok()) return Error{Exit::Environment, "git check-attr failed: " + git::Talk(run->err), ""};
  return run->out.ends_with(std::string("merge\0revctl\0", 13));
}

/// git's answer in the same work tree as another repository, whose info/attributes is not there.
Result<git::ProcessResult> Installation::AskWithoutNotes(const std::vector<std::string>& question) const {
  std::error_code error;
  std::string folder = (std::filesystem::temp_directory_path(error) / "revctl-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return SystemError(folder, "cannot be made");
  git::ProcessOptions options;
  options.directory = workspace_.repository().root();
  options.environment = {"GIT_DIR=" + folder, "GIT_WORK_TREE=" + options.directory, "GIT_COMMON_DIR", "GIT_INDEX_FILE"};
  auto run = git::RunGit({"init", "-q", "--template="}, options);
  if (run.ok() && run->ok()) run = git::RunGit(question, options);
  std::filesystem::remove_all(folder, error);
  return run;
}

Result<Done> Installation::GitConfig(std::vector<std::string> arguments) const {
  const std::string what = arguments[0] + " " + arguments[1];
  arguments.insert(arguments.begin(), {"config", "--local"});
  auto run = workspace_.repository().Git(std::move(arguments));
  if (!run.ok()) return run.error();
  if (!run->ok()) return Error{Exit::Environment, "git config " + what + " failed: " + git::Talk(run->err), "look at the repository's config, then again"};
  return Done{};
}

Result<std::vector<Part>> Installation::Look() const {
  std::vector<Part> out;
  auto driver = workspace_.repository().ConfigValue("merge.revctl.driver");
  if (!driver.ok()) return driver.error();
  out.push_back({"merge driver", driver->has_value(), driver->has_value() && **driver != DriverLine() ? "set by another revctl" : ""});
  for (const auto& list : workspace_.config().lists) {
    auto has = HasAttribute(list);
    if (!has.ok()) return has.error();
    out.push_back({".gitattributes for " + list.path, *has, ""});
  }
  auto folder = HooksFolder();
  if (!folder.ok()) return folder.error();
  for (const Hook& hook : Hooks()) {
    auto text = config::ReadFile(*folder + "/" + hook.name, kMaxHookBytes);
    if (!text.ok()) return text.error();
    const bool present = text->has_value() && IsOurs(**text);
    out.push_back({hook.name + " hook", present, present ? "" : WhyNotHooks(*folder)});
  }
  return out;
}

Result<Done> Installation::InstallAttributes(std::vector<std::string>& done) const {
  for (const auto& list : workspace_.config().lists) {
    auto has = HasAttribute(list);
    if (!has.ok()) return has.error();
    if (*has) continue;
    auto own = config::RefuseLink(AttributesFile(), ".gitattributes");
    if (!own.ok()) return own.error();
    auto before = config::ReadFile(AttributesFile(), config::kMaxConfigBytes);
    if (!before.ok()) return before.error();
    std::string text = before->value_or("");
    // A file without a final newline stays one, so that taking the line away again restores it to the byte.
    const bool open_end = !text.empty() && text.back() != '\n';
    text += (open_end ? "\n" : "") + AttributeLine(list) + (open_end ? "" : "\n");
    auto noted = GitConfig({"--add", kAdded, AttributeLine(list)});
    if (!noted.ok()) return noted.error();
    auto written = config::ReplaceFile(AttributesFile(), text);
    if (!written.ok()) return written.error();
    done.push_back(".gitattributes: " + AttributeLine(list) + "   (commit it)");
  }
  return Done{};
}

Result<Done> Installation::UninstallAttributes(std::vector<std::string>& done) const {
  auto listed = workspace_.repository().Git({"config", "--local", "-z", "--get-all", kAdded});
  if (!listed.ok()) return listed.error();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < listed->out.size(); at = listed->out.find('\0', at) + 1) lines.emplace_back(listed->out.c_str() + at);
  if (!lines.empty()) {
    // Before they are forgotten: the same command, once the link is gone, takes them away.
    auto own = config::RefuseLink(AttributesFile(), ".gitattributes");
    if (!own.ok()) return own.error();
    auto forgotten = GitConfig({"--unset-all", kAdded});
    if (!forgotten.ok()) return forgotten.error();
  }
  auto elsewhere = UninstallAttributesElsewhere(lines, done);
  if (!elsewhere.ok()) return elsewhere.error();
  auto before = config::ReadFile(AttributesFile(), config::kMaxConfigBytes);
  if (!before.ok()) return before.error();
  if (!before->has_value()) return Done{};
  const std::string text = WithoutLines(**before, lines);
  if (text == **before) {
    // It came with the clone: without it in a commit, the driver would be off for the whole team.
    for (const auto& list : workspace_.config().lists) {
      const bool there = ("\n" + text + "\n").find("\n" + AttributeLine(list) + "\n") != std::string::npos;
      if (there && !done.empty()) done.push_back(".gitattributes: " + AttributeLine(list) + " stays: it was there before, and is the team's");
    }
    return Done{};
  }
  if (text.empty()) {
    if (::unlink(AttributesFile().c_str()) != 0) return SystemError(AttributesFile(), "cannot be removed");
  } else {
    auto written = config::ReplaceFile(AttributesFile(), text);
    if (!written.ok()) return written.error();
  }
  done.push_back(".gitattributes: lines of revctl removed");
  return Done{};
}

/// Install may have been run in another work tree of this clone. What is committed there is that branch's.
Result<Done> Installation::UninstallAttributesElsewhere(const std::vector<std::string>& lines, std::vector<std::string>& done) const {
  auto roots = WorkTrees();
  if (!roots.ok()) return roots.error();
  for (const std::string& root : *roots) {
    const std::string file = root + "/.gitattributes";
    if (config::ResolvedPath(root) == config::ResolvedPath(workspace_.repository().root())) continue;
    if (!config::RefuseLink(file, file).ok()) continue;  // git reads none through a link
    auto before = config::ReadFile(file, config::kMaxConfigBytes);
    if (!before.ok()) return before.error();
    if (!before->has_value()) continue;
    git::ProcessOptions there;
    there.directory = root;
    auto committed = git::RunGit({"show", "HEAD:./.gitattributes"}, there);
    if (!committed.ok()) return committed.error();
    std::vector<std::string> added = lines;
    std::erase_if(added, [&](const std::string& line) { return ("\n" + committed->out + "\n").find("\n" + line + "\n") != std::string::npos; });
    const std::string text = WithoutLines(**before, added);
    if (text == **before) continue;
    if (text.empty()) {
      if (::unlink(file.c_str()) != 0) return SystemError(file, "cannot be removed");
    } else {
      auto written = config::ReplaceFile(file, text);
      if (!written.ok()) return written.error();
    }
    done.push_back(file + ": lines of revctl removed");
  }
  return Done{};
}

/// The folders of all work trees of this clone; of a bare repository its own as well.
Result<std::vector<std::string>> Installation::WorkTrees() const {
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

Result<Done> Installation::InstallHook(const Hook& hook, const std::string& folder, std::vector<std::string>& done) const {
  const std::string path = folder + "/" + hook.name, kept = path + std::string(kKept);
  auto present = config::ReadFile(path, kMaxHookBytes);
  if (!present.ok()) return present.error();
  if (present->has_value() && **present == hook.text) return Done{};
  if (present->has_value() && !IsOurs(**present)) {
    // link + rename: at no moment is there neither hook, and an older kept one is never lost.
    std::error_code error;
    if (std::filesystem::exists(kept, error)) {
      return Error{Exit::Environment, kept + ": is in the way of the hook that is there now", "look at both, remove one, revctl install"};
    }
    if (::link(path.c_str(), kept.c_str()) != 0) return SystemError(path, "cannot be kept beside ours");
    if (::unlink(path.c_str()) != 0) return SystemError(path, "cannot be replaced");
  }
  std::filesystem::create_directories(folder);
  auto written = config::ReplaceFile(path, hook.text, 0755);
  if (!written.ok()) return written.error();
  if (::chmod(path.c_str(), 0755) != 0) return SystemError(path, "cannot be made executable");
  done.push_back(hook.name + " hook" + (present->has_value() && !IsOurs(**present) ? ", the one before it runs first" : ""));
  return Done{};
}

Result<Done> Installation::UninstallHook(const Hook& hook, const std::string& folder, std::vector<std::string>& done) const {
  const std::string path = folder + "/" + hook.name, kept = path + std::string(kKept);
  auto present = config::ReadFile(path, kMaxHookBytes);
  if (!present.ok()) return present.error();
  const bool ours = present->has_value() && IsOurs(**present);
  std::error_code error;
  const bool has_kept = std::filesystem::exists(std::filesystem::symlink_status(kept, error));
  if (present->has_value() && !ours) {
    if (has_kept) done.push_back(hook.name + " hook: somebody replaced ours; the older one is still " + kept);
    return Done{};
  }
  if (has_kept) {
    if (::rename(kept.c_str(), path.c_str()) != 0) return SystemError(kept, "cannot be put back");
    done.push_back(hook.name + " hook: the one before is back");
  } else if (ours) {
    if (::unlink(path.c_str()) != 0) return SystemError(path, "cannot be removed");
    done.push_back(hook.name + " hook removed");
  }
  return Done{};
}

Result<bool> Installation::NoteNames() const {
  const git::Repository& repository = workspace_.repository();
  std::vector<git::Oid> tips;
  for (const char* prefix : {"refs/heads/", "refs/remotes/"}) {
    auto branches = repository.Refs(prefix);
    if (!branches.ok()) return branches.error();
    for (const auto& branch : *branches) tips.push_back(branch.second);
  }
  const ListNames names(repository);
  std::set<std::string> lines = names.LinesAt(tips, workspace_.GitPath(""));
  for (const auto& list : workspace_.config().lists) lines.insert(AttributeLine(list));
  return names.Note(lines, true);
}

Result<std::vector<std::string>> Installation::Install() const {
  std::vector<std::string> done;
  auto driver = workspace_.repository().ConfigValue("merge.revctl.driver");
  if (!driver.ok()) return driver.error();
  if (driver->value_or("") != DriverLine()) {
    auto named = GitConfig({"merge.revctl.name", kDriverName});
    if (!named.ok()) return named.error();
    auto set = GitConfig({"merge.revctl.driver", DriverLine()});
    if (!set.ok()) return set.error();
    done.emplace_back("merge driver (git config merge.revctl.driver)");
  }
  auto attributes = InstallAttributes(done);
  if (!attributes.ok()) return attributes.error();
  // After .gitattributes: what is noted here must not hide that a line is missing there.
  auto noted = NoteNames();
  if (!noted.ok()) return noted.error();
  if (*noted) done.emplace_back("names of lists, here and on other branches (info/attributes of this clone)");
  auto folder = HooksFolder();
  if (!folder.ok()) return folder.error();
  if (std::string why = WhyNotHooks(*folder); !why.empty()) {
    done.push_back("no hooks: " + why);
    return done;
  }
  for (const Hook& hook : Hooks()) {
    auto set = InstallHook(hook, *folder, done);
    if (!set.ok()) return set.error();
  }
  return done;
}

Result<std::vector<std::string>> Installation::Uninstall() const {
  std::vector<std::string> done;
  auto driver = workspace_.repository().ConfigValue("merge.revctl.driver");
  if (!driver.ok()) return driver.error();
  // Ours, also where another revctl has set it; other keys of the section, and a driver of the user's own, are the user's.
  if (driver->has_value() && (**driver).find(" merge-driver -- %O %A %B %L %P") != std::string::npos) {
    auto taken = GitConfig({"--unset-all", "merge.revctl.driver"});
    if (!taken.ok()) return taken.error();
    auto name = workspace_.repository().ConfigValue("merge.revctl.name");
    if (!name.ok()) return name.error();
    if (name->value_or("") == kDriverName) taken = GitConfig({"--unset-all", "merge.revctl.name"});
    if (!taken.ok()) return taken.error();
    done.emplace_back("merge driver removed");
  }
  auto attributes = UninstallAttributes(done);
  if (!attributes.ok()) return attributes.error();
  auto forgotten = ListNames(workspace_.repository()).Forget();
  if (!forgotten.ok()) return forgotten.error();
  if (*forgotten) done.emplace_back("names of lists removed from info/attributes");
  auto folder = HooksFolder();
  if (!folder.ok()) return folder.error();
  if (!WhyNotHooks(*folder).empty()) return done;
  for (const Hook& hook : Hooks()) {
    auto taken = UninstallHook(hook, *folder, done);
    if (!taken.ok()) return taken.error();
  }
  auto trees = WorkTrees();
  if (!trees.ok()) return trees.error();
  const std::size_t count = trees->size();
  if (!done.empty() && count > 1) done.push_back("driver and hooks belong to all " + std::to_string(count) + " work trees of this clone: they are gone from each");
  return done;
}

}  // namespace revctl::commands
