#include "revctl/setup/installation.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/process.h"
#include "revctl/config/files.h"
#include "revctl/git/settings.h"
#include "revctl/setup/marked_block.h"

namespace revctl::commands {
namespace {

constexpr const char* kDriverName = "revctl: merges revision lists";
constexpr const char* kSyncHooks[] = {"post-checkout", "post-merge", "post-rewrite"};
constexpr std::size_t kMaxHookBytes = std::size_t{16} << 20;

/// Returns `revctl` if the shell finds this program under that name, otherwise this program's
/// quoted path.
std::string HowToCall(const std::string& program) {
  const std::string self = base::OwnProgram(), found = base::FindProgram("revctl");
  if (!found.empty() && (self.empty() || base::ResolvedPath(found) == self)) return "revctl";
  if (!self.empty()) return base::ShellQuoted(self);
  return program.find('/') == std::string::npos ? "revctl"
                                                : base::ShellQuoted(base::ResolvedPath(program));
}

/// True if `text` begins with a `#!` line for a shell that can run revctl's hook lines.
bool IsShellScript(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.starts_with("#!")) return false;
  for (line.remove_prefix(2); !line.empty();) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(word.size());
    word.remove_prefix(word.rfind('/') == word.npos ? 0 : word.rfind('/') + 1);
    if (word != "env" && word != "-S")
      return std::set<std::string_view>{"sh", "bash", "dash", "ksh", "zsh"}.contains(word);
  }
  return false;
}

/// Returns true if a notice may be shown now, that is, if the last one is at least 24 hours old or
/// there was none. Stores the time of this notice as the modification time of `path`. Returns false
/// if the time cannot be stored, so that the notice does not appear on every command.
bool ClaimDailyNotice(const std::string& path) {
  std::error_code error;
  const auto last = std::filesystem::last_write_time(path, error);
  const auto now = std::filesystem::file_time_type::clock::now();
  if (!error && last <= now && now - last < std::chrono::hours(24)) return false;
  return config::ReplaceFile(path, "").ok();
}

}  // namespace

Installation::Installation(const Workspace& workspace, std::string program)
    : workspace_(workspace), attributes_(workspace), command_(HowToCall(program)) {}

/// Returns the command line of the merge driver. git quotes %P and runs the line in a shell. If
/// revctl is missing, crashes or is killed, the line falls back to git's own text merge. The exit
/// status is at most 1, because for a status above 128, git would keep our side without conflict
/// markers.
std::string Installation::DriverLine() const {
  return command_ +
         " merge-driver -- %O %A %B %L %P; s=$?; if [ $s -gt 1 ]; then git merge-file "
         "--marker-size=%L %A %O %B; s=$?; " +
         "[ $s -eq 0 ] || s=1; fi; exit $s";
}

std::vector<Installation::Hook> Installation::Hooks() const {
  // revctl's lines come first, because the user's hook may end with `exec` or run with `set -eu`.
  const auto guarded = [&](const std::string& lines) {
    return fmt::format(
        "if [ \"${{REVCTL:-}}\" != 0 ] && command -v {} >/dev/null 2>&1; then\n{}fi\n", command_,
        lines);
  };
  const std::string check = command_ + " check --quiet ";
  std::vector<Hook> hooks = {
      {"pre-commit", guarded("  " + check + "--staged || exit\n"), "--staged",
       check + "--staged || exit"},
      // Pass git's input on to the rest of the hook, because the user's lines may read it as well.
      {"pre-push",
       guarded(fmt::format("  revctl_pushed=$(cat)\n"
                           "  if [ -n \"$revctl_pushed\" ]; then\n"
                           "    printf '%s\\n' \"$revctl_pushed\" | {}--pushed \"$1\" || exit\n"
                           "    exec <<END\n$revctl_pushed\nEND\n  fi\n",
                           check)),
       "--pushed", check + "--pushed \"$1\" || exit"}};
  const auto& lists = workspace_.config().lists;
  const bool at_landing = std::any_of(lists.begin(), lists.end(), [](const auto& list) {
    return list.numbers == list::Numbers::AtLanding;
  });
  if (!at_landing) return hooks;
  // Update the include file after every change of the work tree. Ignore failures, because git has
  // already changed the work tree.
  const std::string sync = command_ + " sync --include --quiet || :\n";
  for (const char* name : kSyncHooks)
    hooks.push_back({name, guarded("  " + sync), "sync --include", sync});
  return hooks;
}

Result<std::string> Installation::HooksFolder() const {
  return git::HooksFolder(workspace_.repository());
}

/// Returns why `install` must not write hooks into `folder`, or "" if it may.
std::string Installation::WhyNotHooks(const std::string& folder) const {
  const std::string common = base::ResolvedPath(workspace_.repository().common_dir());
  if (base::ResolvedPath(folder).starts_with(common + "/")) return "";
  return fmt::format("core.hooksPath is {}, which this clone may share with others", folder);
}

Result<Installation::HookFile> Installation::ReadHook(const Hook& hook,
                                                      const std::string& folder) const {
  HookFile out;
  out.path = folder + "/" + hook.name;
  TRY(auto text, config::ReadPlainFile(out.path, kMaxHookBytes));
  out.text = text.value_or("");
  const bool runs = base::IsExecutable(out.path);
  if (std::string why = WhyNotHooks(folder); !why.empty()) out.why_not = why;
  else if (base::KindAt(out.path) == base::PathKind::Link)
    out.why_not = out.path + " is a symbolic link";
  else if (text && !IsShellScript(*text)) out.why_not = out.path + " is not a shell script";
  else if (text && !runs) out.why_not = out.path + " is not executable, so git does not run it";
  // A hook that `install` must not edit may still call revctl if the user added the call.
  const bool calls =
      out.text.find("revctl") != std::string::npos && out.text.find(hook.sign) != std::string::npos;
  out.installed = runs && (out.why_not.empty() ? BlockIn(out.text).has_value() : calls);
  return out;
}

Result<std::vector<Part>> Installation::Look() const {
  std::vector<Part> out;
  TRY(auto driver, workspace_.repository().ConfigValue("merge.revctl.driver"));
  out.push_back(
      {"merge driver", driver.has_value(),
       driver.has_value() && *driver != DriverLine() ? "set by another version of revctl" : "",
       ""});
  for (const auto& list : workspace_.config().lists) {
    TRY(auto has, attributes_.Has(list));
    out.push_back({".gitattributes for " + list.path, has, "", ""});
    if (list.golden.empty()) continue;
    TRY(auto missing, attributes_.MissingForGoldens(list));
    out.push_back({".gitattributes for goldens in " + list.golden, missing.empty(), "", ""});
  }
  TRY(auto folder, HooksFolder());
  for (const Hook& hook : Hooks()) {
    TRY(auto file, ReadHook(hook, folder));
    out.push_back({hook.name + " hook", file.installed, file.installed ? "" : file.why_not,
                   file.why_not.empty()
                       ? ""
                       : fmt::format("add this line to {}, and make it executable: {}", file.path,
                                     hook.call)});
  }
  return out;
}

Result<Done> Installation::InstallHooks(const std::string& folder,
                                        std::vector<std::string>& done) const {
  for (const Hook& hook : Hooks()) {
    TRY(auto file, ReadHook(hook, folder));
    if (!file.why_not.empty()) {
      if (!file.installed)
        done.push_back(fmt::format("no {} hook, because {}; revctl doctor prints the line to add",
                                   hook.name, file.why_not));
      continue;
    }
    if (BlockIn(file.text) == hook.lines) continue;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
      return Error{Exit::Environment,
                   fmt::format("{}: cannot be created: {}", folder, error.message()),
                   fmt::format("ls -ld {}   # must be a folder", base::ShellPath(folder))};
    const std::string before = file.text.empty() ? "#!/bin/sh\n" : file.text;
    const std::size_t first_line = std::min(before.find('\n'), before.size() - 1) + 1;
    TRY(config::ReplaceFile(file.path, WithBlock(before, hook.lines, first_line), 0755));
    done.push_back(fmt::format(
        "{} hook{}", hook.name,
        file.text.empty() || file.installed ? "" : ", at the beginning of the existing hook"));
  }
  return Done{};
}

Result<std::vector<std::string>> Installation::Install() const {
  std::vector<std::string> done;
  TRY(auto folder, HooksFolder());
  TRY(auto driver, workspace_.repository().ConfigValue("merge.revctl.driver"));
  if (driver.value_or("") != DriverLine()) {
    TRY(git::SetLocalConfig(workspace_.repository(), "merge.revctl.name", kDriverName));
    TRY(git::SetLocalConfig(workspace_.repository(), "merge.revctl.driver", DriverLine()));
    done.emplace_back("merge driver (git config merge.revctl.driver)");
  }
  TRY(attributes_.Install(done));
  if (std::string why = WhyNotHooks(folder); !why.empty()) {
    done.push_back(fmt::format("no hooks, because {}; revctl doctor prints the lines to add", why));
    return done;
  }
  TRY(InstallHooks(folder, done));
  return done;
}

Result<std::vector<std::string>> Installation::UpdateHooks() const {
  std::vector<std::string> done;
  TRY(auto folder, HooksFolder());
  if (!WhyNotHooks(folder).empty()) return done;
  // Do not add hooks to a clone in which `install` has not run, even if the merge driver is
  // configured.
  TRY(const auto pre_commit, config::ReadPlainFile(folder + "/pre-commit", kMaxHookBytes));
  if (BlockIn(pre_commit.value_or(""))) TRY(InstallHooks(folder, done));
  return done;
}

Result<std::vector<std::string>> Installation::Uninstall() const {
  std::vector<std::string> done;
  const git::Repository& repository = workspace_.repository();
  TRY(auto driver, repository.ConfigValue("merge.revctl.driver"));
  // Keep the user's other keys in this section, and a driver that the user has configured.
  if (driver.value_or("").find(" merge-driver -- %O %A %B %L %P") != std::string::npos) {
    TRY(git::SetLocalConfig(repository, "merge.revctl.driver", std::nullopt));
    TRY(auto name, repository.ConfigValue("merge.revctl.name"));
    if (name.value_or("") == kDriverName)
      TRY(git::SetLocalConfig(repository, "merge.revctl.name", std::nullopt));
    done.emplace_back("merge driver removed");
  }
  TRY(attributes_.Uninstall(done));
  TRY(auto folder, HooksFolder());
  if (!WhyNotHooks(folder).empty()) return done;
  std::vector<std::string> names = {"pre-commit", "pre-push"};
  names.insert(names.end(), std::begin(kSyncHooks), std::end(kSyncHooks));
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    TRY(auto text, config::ReadPlainFile(path, kMaxHookBytes));
    if (!BlockIn(text.value_or(""))) continue;
    const std::string rest = WithoutBlock(*text);
    if (rest != "#!/bin/sh\n") TRY(config::ReplaceFile(path, rest));
    else if (auto removed = base::RemoveFile(path); !removed)
      return base::InMessage(removed.error());
    done.push_back(name + " hook removed");
  }
  return done;
}

std::function<std::string()> NotInstalledNotice(const Workspace& workspace) {
  if (std::getenv("CI") != nullptr) return {};
  const git::Repository& repository = workspace.repository();
  auto driver = repository.ConfigValue("merge.revctl.driver");
  if (!driver.ok() || driver->has_value()) return {};
  return [path = repository.common_dir() + "/revctl-not-installed"]() -> std::string {
    if (!ClaimDailyNotice(path)) return "";
    return "merges of the list may conflict, because this clone has no merge driver and no "
           "hooks\nfix: revctl install";
  };
}

}  // namespace revctl::commands
