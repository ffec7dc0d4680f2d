// What `install` sets up in a clone, and `uninstall` takes away: merge driver, attributes, hooks.
#include "revctl/setup/installation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/temporary_file.h"
#include "revctl/config/files.h"
#include "revctl/setup/merge_attributes.h"

namespace revctl::commands {
namespace {

constexpr std::string_view kMark =
    "# revctl: set up by `revctl install`, taken away by `revctl uninstall`.";
constexpr std::string_view kKept = ".before-revctl";
constexpr const char* kDriverName = "revctl: merges revision lists";
constexpr const char* kBefore =
    "revctl.before";  ///< git config: what was so before install, a word each
constexpr const char *kNoHooks = "no-hooks", *kNoInfo = "no-info", *kOpenConfig = "open-config";
constexpr const char* kSyncHooks[] = {"post-checkout", "post-merge", "post-rewrite"};
constexpr std::size_t kMaxHookBytes = std::size_t{16} << 20;

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
    if (!base::IsExecutable(candidate)) continue;
    if (base::ResolvedPath(candidate) == self || self.empty()) return "revctl";
    break;
  }
  if (!self.empty()) return base::ShellQuoted(self);
  return program.find('/') == std::string::npos ? "revctl"
                                                : base::ShellQuoted(base::ResolvedPath(program));
}

bool IsOurs(const std::string& text) { return text.find(kMark) != std::string::npos; }

/// Names the file within the message.
Result<Done> Said(Result<Done> result) {
  if (!result) return base::InMessage(std::move(result).error());
  return result;
}

}  // namespace

Installation::Installation(const Workspace& workspace, std::string program)
    : workspace_(workspace), attributes_(workspace), command_(HowToCall(program)) {}

/// Run by git through a shell, which has quoted %P. Where revctl is missing, crashes or is killed,
/// git's own merge is made, and no status above 1 reaches git: above 128 it would leave our side
/// without a marker.
std::string Installation::DriverLine() const {
  return command_ +
         " merge-driver -- %O %A %B %L %P; s=$?; if [ $s -gt 1 ]; then git merge-file "
         "--marker-size=%L %A %O %B; s=$?; " +
         "[ $s -eq 0 ] || s=1; fi; exit $s";
}

/// All hooks begin alike. What was there before runs first; a shell script under the name that it
/// had, since dispatchers look at theirs (`"$0".d/*`, `case $(basename "$0")`). Others see the name
/// under which they are kept.
std::string Installation::HookHead() const {
  return fmt::format(
      "#!/bin/sh\n{}\n# A hook that was here before is kept beside this one and runs first.\n"
      "before=$0{}\n"
      "run_before() {{\n"
      "  read -r line <\"$before\" || :\n"
      "  case ${{line%% -*}} in\n"
      "    '#!'*/sh | '#!'*/bash | '#!'*/dash | '#!'*/ksh | '#!'*/env\\ sh | '#!'*/env\\ bash)\n"
      "      REVCTL_BEFORE=$before ${{line#??}} -c '. \"$REVCTL_BEFORE\"' \"$0\" \"$@\" ;;\n"
      "    *) \"$before\" \"$@\" ;;\n"
      "  esac\n"
      "}}\n",
      kMark, kKept);
}

std::vector<Installation::Hook> Installation::Hooks() const {
  const std::string head = HookHead();
  const std::string before = "if [ -x \"$before\" ]; then run_before \"$@\" || exit $?; fi\n";
  const std::string guard = fmt::format(
      "[ \"$REVCTL\" = 0 ] && exit 0\ncommand -v {} >/dev/null 2>&1 || exit 0\n", command_);
  const std::string commit =
      head + before + guard + fmt::format("exec {} check --quiet --staged\n", command_);
  const std::string push = fmt::format(
      "{}pushed=$(cat; echo x)\npushed=${{pushed%x}}\n"
      "if [ -x \"$before\" ]; then printf %s \"$pushed\" | run_before \"$@\" || exit $?; fi\n"
      "{}printf %s \"$pushed\" | {} check --quiet --pushed\n",
      head, guard, command_);
  const std::string check = command_ + " check --quiet ";
  std::vector<Hook> hooks = {{"pre-commit", commit, "--staged", check + "--staged || exit"},
                             {"pre-push", push, "--pushed", check + "--pushed || exit"}};
  const auto& lists = workspace_.config().lists;
  const bool at_landing = std::any_of(lists.begin(), lists.end(), [](const auto& list) {
    return list.numbers == list::Numbers::AtLanding;
  });
  if (!at_landing) return hooks;
  // What the compiler sees of pending revisions follows each change of the tree. Git has made that
  // already: a failure here ends nothing.
  const std::string sync = command_ + " sync --include --quiet || :\n";
  const std::string text = head + before + guard + sync;
  for (const char* name : kSyncHooks) hooks.push_back({name, text, "sync --include", sync});
  return hooks;
}

Result<std::string> Installation::HooksFolder() const {
  TRY(auto elsewhere, workspace_.repository().ConfigValue("core.hooksPath"));
  if (!elsewhere) return workspace_.repository().common_dir() + "/hooks";
  auto run =
      workspace_.repository().Git({"rev-parse", "--path-format=absolute", "--git-path", "hooks"});
  if (!run.ok()) return run.error();
  if (!run->ok())
    return Error{Exit::Environment, "git does not say where hooks are: " + git::LastLines(run->err),
                 "git config core.hooksPath FOLDER, or git config --unset-all core.hooksPath"};
  return run->out.substr(0, run->out.find('\n'));
}

std::string Installation::WhyNotHooks(const std::string& folder) const {
  const std::string common = base::ResolvedPath(workspace_.repository().common_dir());
  if (base::ResolvedPath(folder).starts_with(common + "/")) return "";
  return fmt::format("core.hooksPath is {}, which is not this clone's alone", folder);
}

Result<std::vector<Part>> Installation::Look() const {
  std::vector<Part> out;
  TRY(auto driver, workspace_.repository().ConfigValue("merge.revctl.driver"));
  out.push_back({"merge driver", driver.has_value(),
                 driver.has_value() && *driver != DriverLine() ? "set by another revctl" : "", ""});
  for (const auto& list : workspace_.config().lists) {
    TRY(auto has, attributes_.Has(list));
    out.push_back({".gitattributes for " + list.path, has, "", ""});
    if (list.golden.empty()) continue;
    TRY(auto missing, attributes_.MissingForGoldens(list));
    out.push_back({".gitattributes for goldens in " + list.golden, missing.empty(), "", ""});
  }
  TRY(auto folder, HooksFolder());
  const std::string why = WhyNotHooks(folder);
  for (const Hook& hook : Hooks()) {
    TRY(auto text, config::ReadPlainFile(folder + "/" + hook.name, kMaxHookBytes));
    // A hook in a user's own folder is the user's own: whether it calls revctl is all that
    // can be seen.
    const bool calls = !why.empty() && text.has_value() &&
                       text->find("revctl") != std::string::npos &&
                       text->find(hook.sign) != std::string::npos;
    const bool present = text.has_value() && (IsOurs(*text) || calls);
    out.push_back({hook.name + " hook", present, present ? "" : why,
                   why.empty() ? ""
                               : fmt::format("a line in {}/{}, which has to be executable: {}",
                                             folder, hook.name, hook.call)});
  }
  return out;
}

Result<Done> Installation::InstallHook(const Hook& hook, const std::string& folder,
                                       std::vector<std::string>& done) const {
  const std::string path = folder + "/" + hook.name, kept = path + std::string(kKept);
  TRY(auto present, config::ReadPlainFile(path, kMaxHookBytes));
  if (present.has_value() && *present == hook.text) return Done{};
  if (present.has_value() && !IsOurs(*present)) {
    // link + rename: at no moment is there neither hook, and an older kept one is never lost.
    std::error_code error;
    // Both names of one file: an install was killed between the two steps below.
    if (std::filesystem::equivalent(path, kept, error)) TRY(Said(base::RemoveFile(kept)));
    if (std::filesystem::exists(kept, error)) {
      return Error{Exit::Environment, kept + ": is in the way of the hook that is there now",
                   "look at both, remove one, revctl install"};
    }
    std::filesystem::create_hard_link(path, kept, error);
    if (error)
      return Error{Exit::Environment, path + ": cannot be kept beside ours: " + error.message(),
                   base::SystemMend(error.value(), kept)};
    TRY(Said(base::RemoveFile(path)));
  }
  std::error_code made;
  std::filesystem::create_directories(folder, made);
  if (made)
    return Error{Exit::Environment, fmt::format("{}: cannot be made: {}", folder, made.message()),
                 fmt::format("ls -ld {}   # a folder is meant", base::ShellPath(folder))};
  TRY(config::ReplaceFile(path, hook.text, 0755));
  std::filesystem::permissions(path, std::filesystem::perms(0755), made);
  if (made)
    return Error{Exit::Environment,
                 fmt::format("{}: cannot be made executable: {}", path, made.message()),
                 base::SystemMend(made.value(), path)};
  const bool another = present.has_value() && !IsOurs(*present);
  done.push_back(
      fmt::format("{} hook{}", hook.name, another ? ", the one before it runs first" : ""));
  return Done{};
}

Result<Done> Installation::UninstallHook(const std::string& name, const std::string& folder,
                                         std::vector<std::string>& done) const {
  const std::string path = folder + "/" + name, kept = path + std::string(kKept);
  TRY(auto present, config::ReadPlainFile(path, kMaxHookBytes));
  const bool ours = present.has_value() && IsOurs(*present);
  std::error_code error;
  const bool has_kept = std::filesystem::exists(std::filesystem::symlink_status(kept, error));
  if (present.has_value() && !ours) {
    if (has_kept)
      done.push_back(
          fmt::format("{} hook: it replaced ours; the older one is still {}", name, kept));
    return Done{};
  }
  if (has_kept) {
    TRY(Said(base::MoveFile(kept, path)));
    done.push_back(name + " hook: the one before is back");
  } else if (ours) {
    TRY(Said(base::RemoveFile(path)));
    done.push_back(name + " hook removed");
  }
  return Done{};
}

/// What git has by itself or not, and takes no note of: folders, and the end of the last line of
/// its config.
Result<Done> Installation::NoteBefore(const std::string& hooks) const {
  const git::Repository& repository = workspace_.repository();
  std::error_code error;
  std::vector<std::string> notes;
  if (WhyNotHooks(hooks).empty() && !std::filesystem::exists(hooks, error))
    notes.emplace_back(kNoHooks);
  if (!std::filesystem::exists(repository.common_dir() + "/info", error))
    notes.emplace_back(kNoInfo);
  TRY(auto config,
      config::ReadPlainFile(repository.common_dir() + "/config", config::kMaxConfigBytes));
  if (const std::string text = config.value_or(""); !text.empty() && text.back() != '\n')
    notes.emplace_back(kOpenConfig);
  for (const std::string& note : notes) {
    auto set = SetLocalConfig(repository, {"--add", kBefore, note});
    if (!set.ok()) return set;
  }
  return Done{};
}

Result<Done> Installation::RestoreBefore(const std::string& hooks) const {
  const git::Repository& repository = workspace_.repository();
  TRY(auto notes, repository.Git({"config", "--local", "--get-all", kBefore}));
  if (notes.out.empty()) return Done{};
  const auto noted = [&](const char* what) {
    return ("\n" + notes.out).find(fmt::format("\n{}\n", what)) != std::string::npos;
  };
  // What has been put there since stays.
  if (noted(kNoHooks)) base::RemoveEmptyFolder(hooks);
  if (noted(kNoInfo)) base::RemoveEmptyFolder(repository.common_dir() + "/info");
  auto forgotten = SetLocalConfig(repository, {"--unset-all", kBefore});
  if (!forgotten.ok() || !noted(kOpenConfig)) return forgotten;
  const std::string path = repository.common_dir() + "/config";
  TRY(auto config, config::ReadPlainFile(path, config::kMaxConfigBytes));
  std::string text = config.value_or("");
  if (!text.ends_with('\n')) return Done{};
  text.pop_back();
  return config::ReplaceFile(path, text);
}

void Installation::RemoveLeft(const std::string& hooks) const {
  const git::Repository& repository = workspace_.repository();
  for (const std::string& folder :
       {repository.git_dir(), repository.common_dir(), repository.common_dir() + "/info"})
    base::TemporaryFile::RemoveLeft(folder);
  if (WhyNotHooks(hooks).empty()) base::TemporaryFile::RemoveLeft(hooks);
}

Result<std::vector<std::string>> Installation::Install() const {
  std::vector<std::string> done;
  ForgetNotice(workspace_.repository());
  TRY(auto folder, HooksFolder());
  RemoveLeft(folder);
  TRY(NoteBefore(folder));
  TRY(auto driver, workspace_.repository().ConfigValue("merge.revctl.driver"));
  if (driver.value_or("") != DriverLine()) {
    TRY(SetLocalConfig(workspace_.repository(), {"merge.revctl.name", kDriverName}));
    TRY(SetLocalConfig(workspace_.repository(), {"merge.revctl.driver", DriverLine()}));
    done.emplace_back("merge driver (git config merge.revctl.driver)");
  }
  TRY(attributes_.Install(done));
  // After .gitattributes: what is noted here must not hide that a line is missing there.
  TRY(auto noted, attributes_.NoteNames());
  if (noted)
    done.emplace_back("names of lists, here and on other branches (info/attributes of this clone)");
  if (std::string why = WhyNotHooks(folder); !why.empty()) {
    done.push_back(fmt::format("no hooks: {}; revctl doctor says what they have to call", why));
    return done;
  }
  for (const Hook& hook : Hooks()) {
    TRY(InstallHook(hook, folder, done));
  }
  return done;
}

Result<std::vector<std::string>> Installation::InstallHooksAlone() const {
  std::vector<std::string> done;
  TRY(auto folder, HooksFolder());
  if (!WhyNotHooks(folder).empty()) return done;
  // A clone without `install` gets none by the way.
  TRY(auto commit, config::ReadPlainFile(folder + "/pre-commit", kMaxHookBytes));
  if (!commit.has_value() || !IsOurs(*commit)) return done;
  for (const Hook& hook : Hooks()) {
    TRY(InstallHook(hook, folder, done));
  }
  return done;
}

Result<std::vector<std::string>> Installation::Uninstall() const {
  std::vector<std::string> done;
  TRY(auto driver, workspace_.repository().ConfigValue("merge.revctl.driver"));
  // Ours, also where another revctl has set it; other keys of the section, and a driver of the
  // user's own, are the user's.
  if (driver.has_value() && driver->find(" merge-driver -- %O %A %B %L %P") != std::string::npos) {
    auto taken = SetLocalConfig(workspace_.repository(), {"--unset-all", "merge.revctl.driver"});
    if (!taken.ok()) return taken.error();
    TRY(auto name, workspace_.repository().ConfigValue("merge.revctl.name"));
    if (name.value_or("") == kDriverName)
      taken = SetLocalConfig(workspace_.repository(), {"--unset-all", "merge.revctl.name"});
    if (!taken.ok()) return taken.error();
    done.emplace_back("merge driver removed");
  }
  TRY(attributes_.Uninstall(done));
  TRY(auto forgotten, ListNames(workspace_.repository()).Forget());
  if (forgotten) done.emplace_back("names of lists removed from info/attributes");
  TRY(auto folder, HooksFolder());
  for (const char* name : {"pre-commit", "pre-push", kSyncHooks[0], kSyncHooks[1], kSyncHooks[2]}) {
    if (!WhyNotHooks(folder).empty()) break;
    TRY(UninstallHook(name, folder, done));
  }
  RemoveLeft(folder);
  TRY(RestoreBefore(folder));
  TRY(auto trees, attributes_.WorkTrees());
  const std::size_t count = trees.size();
  if (!done.empty() && count > 1)
    done.push_back(fmt::format(
        "driver and hooks belong to all {} work trees of this clone: they are gone from each",
        count));
  return done;
}

}  // namespace revctl::commands
