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

Result<std::set<std::string>> PendingThere(const Workspace& workspace, const list::ListConfig& list,
                                           const std::optional<git::Oid>& target) {
  std::set<std::string> out;
  if (!target) return out;
  TRY(auto files, workspace.At(*target).Pending(list));
  for (const PendingText& file : files) out.insert(pending::NameOfFile(file.file_name));
  return out;
}

Result<PendingHere> ReadPending(const Workspace& workspace, const list::ListConfig& list) {
  TRY(auto alone, workspace.ParseListAlone(list));
  PendingHere out{std::move(alone), {}, {}};
  if (!AtLanding(list)) return out;
  TRY(out.files, pending::ReadFolder(workspace.FilePath(pending::Folder(list)),
                                     workspace.GitPath(pending::Folder(list))));
  out.plan = pending::MakePlan(out.list, list, out.files);
  TRY(FixUntracked(&workspace.repository(), workspace.GitPath(""), list, out.plan));
  return out;
}

Result<base::Done> FixUntracked(const git::Repository* repository, const std::string& folder,
                                const list::ListConfig& list, pending::Plan& plan) {
  const auto moves = [](const pending::Blocked& one) {
    return one.fix.kind == findings::FixKind::MoveFile;
  };
  if (std::none_of(plan.blocked.begin(), plan.blocked.end(), moves)) return base::Done{};
  const std::string place = folder + pending::Folder(list) + "/";
  std::vector<std::string> paths;
  if (repository != nullptr) {
    TRY(paths, git::TrackedFiles(*repository, place));
  }
  std::set<std::string> tracked;
  for (const std::string& path : paths) {
    const std::string within = path.substr(std::min(place.size(), path.size()));
    tracked.insert(within.substr(0, within.find('/')));
  }
  for (pending::Blocked& one : plan.blocked) {
    const bool own = one.root.empty();
    if (!own || !moves(one) || tracked.contains(one.file_name)) continue;
    one.fix.argv.erase(one.fix.argv.begin());  // drop `git` to use plain `mv` or `rm`
    one.fix.kind = findings::FixKind::Edit;
  }
  plan.ShareFixes();
  return base::Done{};
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
    return Error{Exit::Usage, shown + ": points outside the repository",
                 "correct `path` in .revctl.yaml"};
  TRY(config::RefuseLink(folder, shown));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error{Exit::Environment, shown + ": cannot be created: " + error.message(), ""};
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
  TRY(MakePendingFolder(workspace, list));
  const std::string path = pending::FilePath(list, name);
  TRY(const auto text, PendingFileText(workspace, list, name, revision, by));
  TRY(pending::WriteIfChanged(workspace.FilePath(path), path, text));
  return Done{};
}

namespace {

Result<Synced> ReadSynced(const std::string& root, const list::ListConfig& list) {
  TRY(ListAndFiles here, ReadListAndFiles(root, list));
  Synced out{std::move(here.list), {}, false};
  out.plan = pending::MakePlan(out.list, list, here.files);
  return out;
}

}  // namespace

Result<ListAndFiles> ReadListAndFiles(const std::string& root, const list::ListConfig& list) {
  TRY(RefuseOutside(root, list));
  TRY(auto text, config::ReadFile(root + "/" + list.path, config::kMaxListBytes));
  if (!text.has_value())
    return Error{Exit::Usage, list.path + ": there is no such file",
                 "correct `path` in .revctl.yaml"};
  TRY(auto parsed, list::Parse(*text, list, list.path));
  TRY(auto files, pending::ReadFolder(root + "/" + pending::Folder(list), pending::Folder(list)));
  return ListAndFiles{std::move(parsed), std::move(files)};
}

Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list) {
  TRY(auto out, ReadSynced(root, list));
  TRY(out.written,
      pending::WriteIfChanged(root + "/" + pending::IncludePath(list), pending::IncludePath(list),
                              pending::IncludeText(out.list, list, out.plan)));
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
