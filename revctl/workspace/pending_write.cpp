#include "revctl/workspace/pending_write.h"

#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/config/files.h"
#include "revctl/findings/printable.h"
#include "revctl/pending/folder.h"
#include "revctl/pending/paths.h"

namespace revctl::commands {

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

Result<Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                          const std::string& name, const pending::PendingRevision& revision,
                          const std::string& by) {
  auto made = MakePendingFolder(workspace, list);
  if (!made.ok()) return made;
  const std::string path = pending::FilePath(list, name);
  std::string text = pending::FormatPendingFile(revision);
  TRY(const auto old, config::ReadFile(workspace.FilePath(path), pending::kMaxFileBytes));
  if (old && old->starts_with('#')) text = old->substr(0, old->find('\n')) + "\n" + text;
  if (!old && !by.empty()) text = "# reserved by " + findings::Printable(by) + "\n" + text;
  auto written = pending::WriteIfChanged(workspace.FilePath(path), path, text);
  if (!written.ok()) return written.error();
  return Done{};
}

}  // namespace revctl::commands
