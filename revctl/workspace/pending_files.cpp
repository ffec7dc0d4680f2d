#include "revctl/workspace/pending_files.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <functional>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/findings/printable.h"
#include "revctl/git/index.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_source.h"

namespace revctl::commands {

using pending::PendingText;

namespace {

/// Converts the result of reading a file. A symbolic link is returned as unreadable.
Result<PendingText> TextOf(const std::string& name,
                           const Result<std::optional<std::string>>& text) {
  PendingText out{name, "", ""};
  if (!text.ok() && text.error().exit == Exit::Environment) return text.error();
  if (!text.ok()) out.unreadable = "is a symbolic link";
  else if (!*text) out.unreadable = "is no regular file";
  else if ((*text)->size() > pending::kMaxFileBytes) out.unreadable = "is too large";
  else out.text = **text;
  return out;
}

/// Reads `names`, sorted paths within the folder. A subfolder is reported once, as a whole.
Result<std::vector<PendingText>> Collect(
    const std::vector<std::string>& names, const std::string& place,
    const std::function<Result<std::optional<std::string>>(const std::string&)>& read) {
  std::vector<PendingText> out;
  for (const std::string& name : names) {
    const std::string file = name.substr(0, name.find('/'));
    if (file.empty() || pending::IsIgnoredFile(file)) continue;
    if (!out.empty() && out.back().file_name == file) continue;
    if (out.size() == pending::kMostFiles) return pending::TooMany(place);
    TRY(auto one, TextOf(file, file == name ? read(place + "/" + name)
                                            : Result<std::optional<std::string>>(std::nullopt)));
    out.push_back(std::move(one));
  }
  return out;
}

constexpr std::uint32_t kFolder = 0040000, kSubmodule = 0160000;

base::Error NoFolder(const std::string& folder, bool submodule, std::string fix) {
  return {Exit::Usage,
          fmt::format("{}: is {}, and pending revisions belong there", folder,
                      submodule ? "a submodule" : "no folder"),
          std::move(fix)};
}

std::string TakeOut(const std::string& folder, bool submodule) {
  return fmt::format("git rm -f {}{}", submodule ? "--cached " : "", base::ShellPath(folder));
}

}  // namespace

Result<std::vector<PendingText>> PendingFilesAt(const git::Repository& repository,
                                                const git::Oid& commit, const std::string& folder,
                                                const list::ListConfig& list) {
  if (!AtLanding(list)) return std::vector<PendingText>();
  const std::string place = folder + pending::Folder(list);
  TRY(auto files, repository.ListFiles(commit, place));
  std::vector<std::string> names;
  for (const git::TreeFile& file : files) names.push_back(file.path);
  return Collect(names, place,
                 [&](const std::string& path) { return repository.ReadFile(commit, path); });
}

Result<base::Done> MustBeFolder(const git::Repository& repository, const git::Oid& commit,
                                const std::string& folder) {
  TRY(const auto mode, repository.ModeOf(commit, folder));
  if (!mode || *mode == kFolder) return base::Done{};
  const bool submodule = *mode == kSubmodule;
  return NoFolder(folder, submodule, TakeOut(folder, submodule));
}

Result<base::Done> MustBeFolder(const git::Repository& repository, const FileTree& side,
                                const std::string& folder) {
  if (side.IsCommit()) {
    TRY(const auto head, side.Head());
    return MustBeFolder(repository, *head, folder);
  }
  std::error_code error;
  const auto status = std::filesystem::symlink_status(repository.root() + "/" + folder, error);
  const bool other = std::filesystem::exists(status) && !std::filesystem::is_directory(status);
  if (side.IsWorkTree() && !other) return base::Done{};
  TRY(const auto entries, git::IndexEntries(repository, folder));
  for (const git::IndexEntry& entry : entries) {
    const bool submodule = entry.mode == kSubmodule;
    if (entry.path == folder) return NoFolder(folder, submodule, TakeOut(folder, submodule));
  }
  if (!side.IsWorkTree()) return base::Done{};
  const std::string path = base::ShellPath(folder);
  return NoFolder(folder, false,
                  "rm -f " + path + (!entries.empty() ? " && git checkout -- " + path : ""));
}

Result<std::vector<PendingText>> PendingFilesOf(const git::Repository& repository,
                                                const FileTree& side, const std::string& folder,
                                                const list::ListConfig& list) {
  if (!AtLanding(list)) return std::vector<PendingText>();
  const std::string place = folder + pending::Folder(list);
  if (side.IsWorkTree()) return pending::ReadFolder(repository.root() + "/" + place, place);
  if (side.IsCommit()) {
    TRY(auto head, side.Head());
    return PendingFilesAt(repository, *head, folder, list);
  }
  TRY(const auto tracked, git::TrackedFiles(repository, place));
  std::vector<std::string> names;
  for (const std::string& path : tracked)
    names.push_back(path.substr(std::min(place.size() + 1, path.size())));
  return Collect(names, place, [&](const std::string& path) { return side.Read(path); });
}

Result<std::set<std::string>> PendingThere(const Workspace& workspace, const list::ListConfig& list,
                                           const std::optional<git::Oid>& target) {
  std::set<std::string> out;
  if (!target) return out;
  TRY(auto files, PendingFilesAt(workspace.repository(), *target, workspace.GitPath(""), list));
  for (const PendingText& file : files) out.insert(pending::NameOfFile(file.file_name));
  return out;
}

Result<PendingHere> ReadPending(const Workspace& workspace, const list::ListConfig& list) {
  TRY(auto alone, workspace.ParseListAlone(list));
  PendingHere out{std::move(alone), {}, {}};
  if (!AtLanding(list)) return out;
  TRY(auto files, pending::ReadFolder(workspace.FilePath(pending::Folder(list)),
                                      workspace.GitPath(pending::Folder(list))));
  out.files = std::move(files);
  out.plan = pending::MakePlan(out.list, list, out.files);
  TRY(FixUntracked(workspace.repository(), workspace.GitPath(""), list, out.plan));
  return out;
}

Result<base::Done> FixUntracked(const git::Repository& repository, const std::string& folder,
                                const list::ListConfig& list, pending::Plan& plan) {
  const auto moves = [](const pending::Blocked& one) {
    return one.fix.kind == findings::FixKind::MoveFile;
  };
  if (std::none_of(plan.blocked.begin(), plan.blocked.end(), moves)) return base::Done{};
  const std::string place = folder + pending::Folder(list) + "/";
  TRY(const auto paths, git::TrackedFiles(repository, place));
  std::set<std::string> tracked;
  for (const std::string& path : paths) {
    const std::string within = path.substr(std::min(place.size(), path.size()));
    tracked.insert(within.substr(0, within.find('/')));
  }
  for (pending::Blocked& one : plan.blocked) {
    const bool own = one.root.empty();
    if (!own || !moves(one) || tracked.contains(one.file_name)) continue;
    one.fix.argv.erase(one.fix.argv.begin());  // plain `mv` or `rm`
    one.fix.kind = findings::FixKind::Edit;
  }
  plan.ShareFixes();
  return base::Done{};
}

Result<list::RevisionList> WithPendingAt(const git::Repository& repository, const git::Oid& commit,
                                         const std::string& folder, const list::ListConfig& config,
                                         const list::RevisionList& list) {
  TRY(auto files, PendingFilesAt(repository, commit, folder, config));
  return pending::Folded(list, config, pending::MakePlan(list, config, files));
}

std::vector<std::string> BlockedLines(const list::ListConfig& list, const pending::Plan& plan) {
  std::vector<std::string> out;
  for (const pending::Blocked& one : plan.blocked)
    out.push_back(fmt::format("{}/{}{}: {}{}{}", pending::Folder(list), one.file_name,
                              one.line > 0 ? fmt::format(":{}", one.line) : "", one.why,
                              one.fix.empty() ? "" : "; fix: ", FixText(one.fix)));
  return out;
}

Result<Done> MakePendingFolder(const Workspace& workspace, const list::ListConfig& list) {
  const std::string shown = pending::Folder(list), folder = workspace.FilePath(shown);
  const std::string top = base::ResolvedPath(workspace.repository().root());
  if (!base::ResolvedPath(folder).starts_with(top + "/"))
    return Error{Exit::Usage, shown + ": leads out of the repository",
                 "mend `path` in .revctl.yaml"};
  auto link = config::RefuseLink(folder, shown);
  if (!link.ok()) return link;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error{Exit::Environment, shown + ": cannot be made: " + error.message(), ""};
  const std::string keep = "/" + std::string(pending::kKeepName);
  TRY(pending::WriteIfChanged(folder + keep, shown + keep, pending::KeepText()));
  return Done{};
}

Result<std::string> PendingFileText(const Workspace& workspace, const list::ListConfig& list,
                                    const std::string& name,
                                    const pending::PendingRevision& revision,
                                    const std::string& by) {
  std::string text = pending::FormatPendingFile(revision);
  TRY(const auto old,
      config::ReadFile(workspace.FilePath(pending::FilePath(list, name)), pending::kMaxFileBytes));
  if (old && old->starts_with('#')) text = old->substr(0, old->find('\n')) + "\n" + text;
  if (!old && !by.empty()) text = "# reserved by " + findings::Printable(by) + "\n" + text;
  return text;
}

Result<Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                          const std::string& name, const pending::PendingRevision& revision,
                          const std::string& by) {
  auto made = MakePendingFolder(workspace, list);
  if (!made.ok()) return made;
  const std::string path = pending::FilePath(list, name);
  TRY(const auto text, PendingFileText(workspace, list, name, revision, by));
  auto written = pending::WriteIfChanged(workspace.FilePath(path), path, text);
  if (!written.ok()) return written.error();
  return Done{};
}

namespace {

Result<Synced> ReadSynced(const std::string& root, const list::ListConfig& list) {
  TRY(RefuseOutside(root, list));
  TRY(auto text, config::ReadFile(root + "/" + list.path, config::kMaxListBytes));
  if (!text.has_value())
    return Error{Exit::Usage, list.path + ": there is no such file", "mend `path` in .revctl.yaml"};
  TRY(auto parsed, list::Parse(*text, list, list.path));
  TRY(auto files, pending::ReadFolder(root + "/" + pending::Folder(list), pending::Folder(list)));
  Synced out{std::move(parsed), {}, false};
  out.plan = pending::MakePlan(out.list, list, files);
  return out;
}

}  // namespace

Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list) {
  TRY(auto out, ReadSynced(root, list));
  auto written =
      pending::WriteIfChanged(root + "/" + pending::IncludePath(list), pending::IncludePath(list),
                              pending::IncludeText(out.list, list, out.plan));
  if (!written.ok()) return written.error();
  out.written = *written;
  return out;
}

Result<bool> IncludeIsStale(const std::string& root, const list::ListConfig& list) {
  if (!AtLanding(list)) return false;
  TRY(const auto there,
      config::ReadFile(root + "/" + pending::IncludePath(list), config::kMaxListBytes));
  if (!there) return false;
  TRY(const auto synced, ReadSynced(root, list));
  return *there != pending::IncludeText(synced.list, list, synced.plan);
}

}  // namespace revctl::commands
