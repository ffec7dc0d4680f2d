#include "revctl/gate/fold_at_tip.h"

#include <algorithm>

#include "revctl/base/file.h"
#include "revctl/git/history.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// If `commit` merges a branch into `target` without changing the branch's files, returns the tip
/// of the branch. Otherwise returns `commit`.
Result<git::Oid> WithoutMerge(const git::Repository& repository, const git::Oid& commit,
                              const git::Oid& target) {
  TRY(const auto info, repository.ReadCommit(commit));
  if (info.parents.size() != 2 || info.parents[0] != target) return commit;
  TRY(const auto merged, git::TreeOf(repository, commit));
  TRY(const auto branch, git::TreeOf(repository, info.parents[1]));
  return merged == branch ? info.parents[1] : commit;
}

/// True if the target has the pending file at `path` or an entry with the same name. Such a file is
/// not part of the change; for example, a revert may have restored it.
Result<bool> IsOnTarget(const GateRequest& request, const list::ListConfig& list,
                        const std::string& path) {
  const git::Oid& target = *request.target.tip;
  TRY(const auto file, request.repository().ReadFile(target, path));
  if (file) return true;
  const auto there = request.tree.At(target).List(list);
  if (!there.ok() || !there->HasList()) return false;
  const auto landed = list::Parse(*there->text, there->config, list.path);
  return landed.ok() && landed->Find(pending::NameOfFile(base::FileName(path))) != nullptr;
}

}  // namespace

Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request) {
  const std::optional<git::Oid> none;
  if ((!request.Is(Mode::Land) && !request.Is(Mode::Server)) || !request.target.tip) return none;
  const git::Repository& repository = request.repository();
  const git::Oid& target = *request.target.tip;
  TRY(const auto head, request.tree.Head());
  if (!head || *head == target) return none;
  const auto config = request.tree.At(*head).Config();
  if (!config.ok() || !*config ||
      std::none_of((*config)->lists.begin(), (*config)->lists.end(), AtLanding))
    return none;
  TRY(const git::Oid fold, WithoutMerge(repository, *head, target));
  TRY(const auto commit, repository.ReadCommit(fold));
  if (commit.parents.size() != 1 || commit.parents[0] == target) return none;
  TRY(const bool on_target, repository.IsAncestor(target, commit.parents[0]));
  if (!on_target) return none;
  for (const list::ListConfig& list : (*config)->lists) {
    if (!AtLanding(list)) continue;
    TRY(const auto removed,
        git::FilesDeletedBy(repository, fold, request.prefix() + pending::Folder(list)));
    for (const std::string& path : removed) {
      TRY(const bool known, IsOnTarget(request, list, path));
      if (!known) return std::optional(commit.parents[0]);
    }
  }
  return none;
}

}  // namespace revctl::commands
