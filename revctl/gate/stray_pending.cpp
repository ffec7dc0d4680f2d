// Finds pending files without a list. A merge, a rebase or git am leaves them where the list was.
#include <algorithm>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/list/writing/edit.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

class StrayCheck {
 public:
  StrayCheck(const GateRequest& request, const config::Config& ours,
             const std::optional<config::Config>& target, std::vector<Finding>& out)
      : request_(request), out_(out) {
    for (const list::ListConfig& list : ours.lists) {
      here_.insert(FolderOf(list));
      if (AtLanding(list)) lists_.push_back(&list);
    }
    if (!target) return;
    for (const list::ListConfig& list : target->lists) {
      if (AtLanding(list)) there_.insert(FolderOf(list));
    }
  }

  Result<Done> Run() {
    if (lists_.empty()) return Done{};
    TRY(const auto paths, Candidates());
    for (const std::string& path : paths) {
      auto judged = CheckStray(path);
      if (!judged.ok()) return judged;
    }
    return Done{};
  }

 private:
  std::string FolderOf(const list::ListConfig& list) const {
    return request_.prefix + pending::Folder(list) + "/";
  }

  /// Returns the files to look at: all tracked files of a work tree; for a commit, the new files
  /// and those in the pending folders of the target's lists.
  Result<std::set<std::string>> Candidates() const {
    std::vector<std::string> command = {"--no-literal-pathspecs", "ls-files", "-z", "--full-name"};
    if (request_.side.IsCommit()) {
      if (!request_.target) return std::set<std::string>();
      TRY(const auto head, request_.side.Head());
      command = {
          "--no-literal-pathspecs", "diff-tree",      "-r", "-z", "--name-only", "--no-renames",
          "--diff-filter=A",        *request_.target, *head};
    }
    command.insert(command.end(), {"--", ":(top,glob)**/*.pending/*.yaml"});
    const auto run = request_.repository->Git(std::move(command));
    // Skip this rule for a work tree if git is missing. A server always has git.
    if (!run.ok() && !request_.side.IsCommit()) return std::set<std::string>();
    TRY(const git::ProcessResult listed, run);
    if (!listed.ok())
      return base::Error{base::Exit::Environment,
                         "pending files cannot be listed: " + git::LastLines(listed.err), ""};
    const auto lines = git::SplitAtNul(listed.out);
    std::set<std::string> out(lines.begin(), lines.end());
    if (!request_.side.IsCommit()) return out;
    TRY(const auto head, request_.side.Head());
    for (const std::string& folder : there_) {
      if (here_.contains(folder)) continue;
      TRY(const auto left,
          request_.repository->ListFiles(*head, folder.substr(0, folder.size() - 1)));
      for (const git::TreeFile& file : left) out.insert(folder + file.path);
    }
    return out;
  }

  Result<Done> CheckStray(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = path.substr(0, slash + 1), file = path.substr(slash + 1);
    const std::string name = pending::NameOfFile(file);
    if (!path.starts_with(request_.prefix) || here_.contains(folder)) return Done{};
    std::vector<const list::ListConfig*> homes;
    for (const list::ListConfig* list : lists_) {
      if (list::WhyNoRevision(name, *list).empty()) homes.push_back(list);
    }
    TRY(const bool others, IsOfAnotherProject(folder));
    TRY(const bool exists, request_.side.Exists(path));
    if (homes.empty() || others || !exists) return Done{};
    // Not the fault of this change if it was there before.
    Severity severity = Severity::Error;
    if (request_.target && !there_.contains(folder)) {
      TRY(const auto old, request_.repository->ReadFile(*request_.target, path));
      if (old) severity = Severity::Warning;
    }
    std::string fix;
    for (const list::ListConfig* home : homes) {
      const std::string into = FolderOf(*home);
      TRY(const bool taken, request_.side.Exists(into + file));
      TRY(const bool kept, request_.side.Exists(into + std::string(pending::kKeepName)));
      if (!fix.empty()) fix += ", or ";
      if (!taken && !kept) fix += fmt::format("mkdir -p {} && ", base::ShellPath(into));
      fix += taken
                 ? fmt::format("git rm -f {} where it is the same", base::ShellPath(path))
                 : fmt::format("git mv {} {}", base::ShellPath(path), base::ShellPath(into + file));
    }
    out_.push_back({RuleId::PendingFile, severity,
                    fmt::format("this pending file stands beside no list: no fold gives {} a "
                                "number, and no compiler sees it",
                                name),
                    path, 0, name, std::move(fix)});
    return Done{};
  }

  /// True if a `.revctl.yaml` in a subfolder applies to `folder`.
  Result<bool> IsOfAnotherProject(std::string folder) const {
    while (folder.size() > request_.prefix.size()) {
      TRY(const bool there, request_.side.Exists(folder + std::string(config::kFileName)));
      if (there) return true;
      const std::size_t slash = folder.rfind('/', folder.size() - 2);
      folder.erase(slash == folder.npos ? 0 : slash + 1);
    }
    return false;
  }

  const GateRequest& request_;
  std::vector<Finding>& out_;
  std::vector<const list::ListConfig*> lists_;  ///< lists with `numbers: at-landing`
  std::set<std::string> here_, there_;          ///< folders of pending files, with a trailing '/'
};

}  // namespace

Result<Done> CheckStrayPending(const GateRequest& request, const config::Config& ours,
                               const std::optional<config::Config>& target,
                               std::vector<Finding>& out) {
  return StrayCheck(request, ours, target, out).Run();
}

}  // namespace revctl::commands
