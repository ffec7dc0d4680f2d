// Finds pending files that belong to no list. A merge, a rebase or `git am` may leave such files in
// the list's former folder.
#include <algorithm>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/history.h"
#include "revctl/git/index.h"
#include "revctl/list/writing/edit.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// The lists with `numbers: at-landing`, and each side's folders for pending files, with a trailing
/// '/'.
struct PendingFolders {
  const ChangeFacts& change;
  std::vector<const list::ListConfig*> lists;
  std::set<std::string> ours, target;
};

std::string FolderOf(const ChangeFacts& change, const list::ListConfig& list) {
  return change.request.prefix() + pending::Folder(list) + "/";
}

PendingFolders FoldersOf(const ChangeFacts& change) {
  PendingFolders out{change, {}, {}, {}};
  for (const list::ListConfig& list : change.ours->lists) {
    out.ours.insert(FolderOf(change, list));
    if (AtLanding(list)) out.lists.push_back(&list);
  }
  if (!change.target) return out;
  for (const list::ListConfig& list : change.target->lists) {
    if (AtLanding(list)) out.target.insert(FolderOf(change, list));
  }
  return out;
}

/// True if a `.revctl.yaml` in a subfolder applies to `folder`.
Result<bool> IsOfAnotherProject(const GateRequest& request, std::string folder) {
  while (folder.size() > request.prefix().size()) {
    TRY(const bool there, request.tree.Exists(folder + std::string(config::kFileName)));
    if (there) return true;
    const std::size_t slash = folder.rfind('/', folder.size() - 2);
    folder.erase(slash == folder.npos ? 0 : slash + 1);
  }
  return false;
}

/// Returns the pending files that may be stray: for a work tree, all tracked pending files; for a
/// commit, the new files and the files in the pending folders of the target's lists.
Result<std::set<std::string>> Candidates(const PendingFolders& folders) {
  const GateRequest& request = folders.change.request;
  const std::string glob = "**/*.pending/*.yaml";
  std::set<std::string> out;
  if (!request.tree.IsCommit()) {
    // If git is missing, skip this rule for a work tree. A server always has git.
    if (const auto tracked = git::TrackedFilesLike(request.repository(), glob); tracked.ok())
      out.insert(tracked->begin(), tracked->end());
    return out;
  }
  if (!request.target.tip) return out;
  TRY(const auto head, request.tree.Head());
  TRY(const auto added,
      git::AddedFilesLike(request.repository(), *request.target.tip, *head, glob));
  out.insert(added.begin(), added.end());
  for (const std::string& folder : folders.target) {
    if (folders.ours.contains(folder)) continue;
    TRY(const auto left,
        request.repository().ListFiles(*head, folder.substr(0, folder.size() - 1)));
    for (const git::TreeFile& file : left) out.insert(folder + file.path);
  }
  return out;
}

Result<std::optional<Finding>> CheckStray(const PendingFolders& folders, const std::string& path) {
  const GateRequest& request = folders.change.request;
  const std::optional<Finding> fine;
  const std::size_t slash = path.rfind('/');
  const std::string folder = path.substr(0, slash + 1), file = path.substr(slash + 1);
  const std::string name = pending::NameOfFile(file);
  if (!path.starts_with(request.prefix()) || folders.ours.contains(folder)) return fine;
  std::vector<const list::ListConfig*> homes;
  for (const list::ListConfig* list : folders.lists) {
    if (list::WhyNoRevision(name, *list).empty()) homes.push_back(list);
  }
  TRY(const bool others, IsOfAnotherProject(request, folder));
  TRY(const bool exists, request.tree.Exists(path));
  if (homes.empty() || others || !exists) return fine;
  // Only warn if the file was already stray on the target, because this change did not cause it.
  Severity severity = Severity::Error;
  if (request.target.tip && !folders.target.contains(folder)) {
    TRY(const auto old, request.repository().ReadFile(*request.target.tip, path));
    if (old) severity = Severity::Warning;
  }
  std::string fix;
  for (const list::ListConfig* home : homes) {
    const std::string into = FolderOf(folders.change, *home);
    TRY(const bool taken, request.tree.Exists(into + file));
    TRY(const bool kept, request.tree.Exists(into + std::string(pending::kKeepName)));
    if (!fix.empty()) fix += ", or ";
    if (!taken && !kept) fix += fmt::format("mkdir -p {} && ", base::ShellPath(into));
    fix += taken ? fmt::format("if both files are the same: git rm -f {}", base::ShellPath(path))
                 : fmt::format("git mv {} {}", base::ShellPath(path), base::ShellPath(into + file));
  }
  return std::optional(
      Finding{.rule = RuleId::PendingFile,
              .severity = severity,
              .message = fmt::format("this pending file does not belong to any list, so {} will "
                                     "never get a number, and the compiler cannot see it",
                                     name),
              .file = path,
              .revision = name,
              .fix = std::move(fix)});
}

}  // namespace

Result<Findings> CheckStrayPending(const ChangeFacts& change, const std::vector<ListFacts>&) {
  const PendingFolders folders = FoldersOf(change);
  Findings out;
  if (folders.lists.empty()) return out;
  TRY(const auto paths, Candidates(folders));
  for (const std::string& path : paths) {
    TRY(auto found, CheckStray(folders, path));
    if (found) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace revctl::commands
