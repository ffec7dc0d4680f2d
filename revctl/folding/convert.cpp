#include "revctl/folding/convert.h"

#include <fmt/core.h>
#include <filesystem>

#include "revctl/config/edit_config.h"
#include "revctl/config/files.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

std::string ConfigPath(const Workspace& workspace) {
  return workspace.root() + "/" + std::string(config::kFileName);
}

/// Adds the include file to the .gitignore in its folder. Returns true if the line was missing.
Result<bool> Ignore(const Workspace& workspace, const list::ListConfig& list) {
  const std::string include = pending::IncludePath(list);
  const std::size_t slash = include.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : include.substr(0, slash + 1);
  const std::string path = folder + ".gitignore", line = "/" + include.substr(folder.size());
  TRY(config::RefuseLink(workspace.FilePath(path), path));
  TRY(auto text, config::ReadFile(workspace.FilePath(path), config::kMaxConfigBytes));
  std::string lines = text.value_or("");
  const std::string line_end = lines.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  if (("\n" + lines + line_end).find("\n" + line + line_end) != std::string::npos) return false;
  if (!lines.empty() && !lines.ends_with('\n')) lines += line_end;
  TRY(config::ReplaceFile(workspace.FilePath(path), lines + line + line_end));
  return true;
}

/// Edits `numbers` in `.revctl.yaml`, keeping comments and order.
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
        fmt::format("first run revctl fold on {}", workspace.config().target)};
  std::vector<std::string> done;
  TRY(auto text, pending::WithoutBlock(here.list, list));
  if (text != here.list.text) {
    TRY(workspace.WriteList(list, text));
    done.push_back(list.path + ": no longer includes pending revisions");
  }
  std::error_code error;
  const std::string folder = pending::Folder(list);
  std::filesystem::remove(workspace.FilePath(folder + "/" + std::string(pending::kKeepName)),
                          error);
  std::filesystem::remove(workspace.FilePath(folder), error);
  // Edit the config last, so that a run that was killed can be repeated from the start.
  TRY(SetNumbers(workspace, list, "at-reserve", std::nullopt));
  done.emplace_back(".revctl.yaml: numbers: at-reserve");
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
    done.push_back(list.path + ": now includes its pending revisions");
  }
  TRY(MakePendingFolder(workspace, then));
  TRY(auto ignored, Ignore(workspace, then));
  if (ignored) done.push_back(pending::IncludePath(then) + ": now ignored by git");
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

}  // namespace revctl::commands
