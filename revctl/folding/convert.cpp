#include "revctl/folding/convert.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <map>

#include "revctl/base/shell_word.h"
#include "revctl/config/edit_config.h"
#include "revctl/config/files.h"
#include "revctl/list/writing/edit.h"
#include "revctl/numbering/reserve_name.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

std::string ConfigPath(const Workspace& workspace) {
  return workspace.root() + "/" + std::string(config::kFileName);
}

/// Adds the include file to the .gitignore in its folder. True if a line was added.
Result<bool> Ignore(const Workspace& workspace, const list::ListConfig& list) {
  const std::string include = pending::IncludePath(list);
  const std::size_t slash = include.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : include.substr(0, slash + 1);
  const std::string path = folder + ".gitignore", line = "/" + include.substr(folder.size());
  TRY(config::RefuseLink(workspace.FilePath(path), path));
  TRY(auto text, config::ReadFile(workspace.FilePath(path), config::kMaxConfigBytes));
  std::string lines = text.value_or("");
  if (("\n" + lines + "\n").find("\n" + line + "\n") != std::string::npos) return false;
  if (!lines.empty() && !lines.ends_with('\n')) lines += '\n';
  TRY(config::ReplaceFile(workspace.FilePath(path), lines + line + "\n"));
  return true;
}

/// Edits `.revctl.yaml`, keeping comments and order.
Result<Done> SetNumbers(const Workspace& workspace, const list::ListConfig& list,
                        const std::string& numbers, std::optional<std::int64_t> floor) {
  TRY(auto text, config::ReadFile(ConfigPath(workspace), config::kMaxConfigBytes));
  auto edited = config::SetListKey(text.value_or(""), list.name, "numbers", numbers);
  if (!edited.ok()) return edited.error();
  if (floor) {
    edited = config::SetListKey(*edited, list.name, "floor", std::to_string(*floor));
    if (!edited.ok()) return edited.error();
  }
  return config::ReplaceFile(ConfigPath(workspace), *edited);
}

}  // namespace

Result<std::vector<std::string>> ToAtReserve(const Workspace& workspace,
                                             const list::ListConfig& list) {
  TRY(auto here, ReadPending(workspace, list));
  if (!here.files.empty())
    return Error{
        Exit::Findings,
        fmt::format("{}/{} is pending", pending::Folder(list), here.files.front().file_name),
        fmt::format("revctl fold on {} first", workspace.config().target)};
  std::vector<std::string> done;
  TRY(auto text, pending::WithoutBlock(here.list, list));
  TRY(SetNumbers(workspace, list, "at-reserve", std::nullopt));
  done.emplace_back(".revctl.yaml: numbers: at-reserve");
  if (text != here.list.text) {
    TRY(workspace.WriteList(list, text));
    done.push_back(list.path + ": includes no pending revisions any more");
  }
  std::error_code error;
  const std::string folder = pending::Folder(list);
  std::filesystem::remove(workspace.FilePath(folder + "/" + std::string(pending::kKeepName)),
                          error);
  std::filesystem::remove(workspace.FilePath(folder), error);
  return done;
}

Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                             const list::ListConfig& list,
                                             std::optional<std::int64_t> floor) {
  std::vector<std::string> done;
  list::ListConfig then = list;
  then.numbers = list::Numbers::AtLanding;
  TRY(auto parsed, workspace.ParseListAlone(list));
  TRY(auto text, pending::WithBlock(parsed, then));
  if (text != parsed.text) {
    TRY(workspace.WriteList(list, text));
    done.push_back(list.path + ": includes its pending revisions");
  }
  TRY(MakePendingFolder(workspace, then));
  TRY(auto ignored, Ignore(workspace, then));
  if (ignored) done.push_back(pending::IncludePath(then) + ": ignored by git");
  if (!AtLanding(list)) {
    const list::Entry* latest = parsed.Latest();
    if (floor && latest != nullptr && *floor <= latest->number) floor.reset();
    TRY(SetNumbers(workspace, list, "at-landing", floor));
    done.push_back(".revctl.yaml: numbers: at-landing" +
                   (floor ? fmt::format(", floor: {}", *floor) : ""));
  }
  then.floor = floor;
  TRY(WriteInclude(workspace.root(), then));
  return done;
}

namespace {

/// Returns the pending files of the target, by name, with their text.
Result<std::map<std::string, std::string>> FilesThere(const Workspace& workspace,
                                                      const list::ListConfig& config,
                                                      const std::optional<git::Oid>& target) {
  std::map<std::string, std::string> out;
  if (!target) return out;
  TRY(auto files, workspace.At(*target).Pending(config));
  for (pending::PendingText& file : files) {
    if (file.unreadable.empty()) out.emplace(file.file_name, std::move(file.text));
  }
  return out;
}

struct Conversion {
  const base::Listener& listener;
  const std::function<void(const std::string& line)>& converted;
};

/// Converts entries to files. Writes the files first, so that a repeated run only has to remove the
/// entries.
Result<Done> ToFiles(const Workspace& workspace, const list::ListConfig& config,
                     const Conversion& calls) {
  TRY(const auto lock, workspace.LockLists(calls.listener));
  TRY(auto snapshot, workspace.LastSeen(calls.listener));
  TRY(auto view, ReadListView(workspace, config, snapshot));
  if (!view.landed)
    return Error{Exit::Usage,
                 fmt::format("{} has no {}: which revisions are this branch's own is not known",
                             workspace.TargetLabel(), config.path),
                 "git fetch, or land the list first"};
  TRY(auto here, ReadPending(workspace, config));
  TRY(const auto there, FilesThere(workspace, config, snapshot.target));
  std::vector<std::string> names;
  std::string before;
  bool own = false;
  for (const list::Entry* entry : here.list.Revisions()) {
    if (view.numbering().HasLanded(entry->name) || view.numbering().WasPurged(entry->name))
      continue;
    const std::string path = pending::FilePath(config, entry->name);
    if (const auto found = there.find(entry->name + ".yaml"); found != there.end()) {
      // The revision is pending on the target and was folded here by hand. Restore its file.
      TRY(MakePendingFolder(workspace, config));
      TRY(pending::WriteIfChanged(workspace.FilePath(path), path, found->second));
    } else {
      pending::PendingRevision revision{entry->comment, {}};
      for (char& c : revision.message) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
      revision.message.resize(std::min(revision.message.size(), pending::kMaxMessage));
      if (!before.empty()) revision.after = {before};
      TRY(WritePending(workspace, config, entry->name, revision));
      before = entry->name;
      own = true;
    }
    names.push_back(entry->name);
    calls.converted(fmt::format("{}: {}", entry->name, path));
  }
  if (names.empty()) return Done{};
  TRY(auto text, list::Remove(here.list, config, names));
  auto written = workspace.WriteList(config, text);
  if (!written.ok()) return written;
  if (own && !config.golden.empty())
    calls.listener.Note("goldens of these revisions hold numbers: " +
                        (workspace.config().land.goldens.empty()
                             ? "run your harness with `record --refresh-pending`"
                             : workspace.config().land.goldens));
  return Done{};
}

/// Explains what is missing when there is nothing to convert.
Result<Done> SayWhatIsMissing(const Workspace& workspace, const list::ListConfig& list,
                              const base::Listener& listener) {
  TRY(auto snapshot, workspace.LastSeen(listener));
  if (!snapshot.target) return Done{};
  TRY(auto there, workspace.At(*snapshot.target).Config());
  const list::ListConfig* landed = there ? there->ListNamed(list.name) : nullptr;
  if (landed == nullptr) return Done{};
  if (AtLanding(*landed))
    return Error{Exit::Findings,
                 fmt::format("{} gives numbers at landing on {}, and this branch does not know it",
                             list.path, workspace.TargetLabel()),
                 fmt::format("git merge {}, then revctl sync --adopt",
                             base::ShellWord(workspace.TargetLabel()))};
  listener.Note(fmt::format(
      "revctl: nothing to adopt: {} gives numbers at reserve, here and on {} as last fetched. "
      "`revctl convert-numbers` has to land there first, then: git merge {}, revctl sync --adopt",
      list.path, workspace.TargetLabel(), base::ShellWord(workspace.TargetLabel())));
  return Done{};
}

/// Converts files to reserved entries. Removes each file after its entry is in the list.
Result<Done> ToEntries(const Workspace& workspace, const list::ListConfig& config,
                       const Conversion& calls) {
  list::ListConfig there = config;
  there.numbers = list::Numbers::AtLanding;
  TRY(auto here, ReadPending(workspace, there));
  for (const std::string& line : BlockedLines(there, here.plan))
    calls.listener.Note("revctl: " + line);
  const auto gone = [&](const std::string& name) -> Result<Done> {
    std::error_code error;
    std::filesystem::remove(workspace.FilePath(pending::FilePath(config, name)), error);
    if (error)
      return Error{Exit::Environment, pending::FilePath(config, name) + ": cannot be removed", ""};
    return Done{};
  };
  for (const std::string& name : here.plan.returned) {
    auto removed = gone(name);
    if (!removed.ok()) return removed;
  }
  if (here.files.empty()) return SayWhatIsMissing(workspace, config, calls.listener);
  TRY(const auto lock, workspace.LockLists(calls.listener));
  for (const pending::Numbered& one : here.plan.order) {
    TRY(auto reserved,
        ReserveName(workspace, config, {.name = one.name, .message = one.message}, calls.listener));
    calls.converted(fmt::format("{} = {}", one.name, reserved.number));
    auto removed = gone(one.name);
    if (!removed.ok()) return removed;
  }
  return Done{};
}

}  // namespace

Result<Done> ConvertBranchNumbering(const Workspace& workspace, const list::ListConfig& list,
                                    const base::Listener& listener,
                                    const std::function<void(const std::string& line)>& converted) {
  const Conversion calls{listener, converted};
  TRY(const auto releases, workspace.Releases());
  TRY(workspace.RefuseOnRelease(releases, "reserve " + list.prefix + "NAME"));
  return AtLanding(list) ? ToFiles(workspace, list, calls) : ToEntries(workspace, list, calls);
}

}  // namespace revctl::commands
