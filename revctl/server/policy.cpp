#include "revctl/server/policy.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

std::optional<config::Config> PolicyAt(const git::Repository& repository, const std::string& folder,
                                       const git::Oid& commit, std::optional<Error>& unreadable) {
  auto config = Tree::Commit(repository, commit, folder).Config();
  if (config.ok()) return std::move(*config);
  unreadable = config.error();
  return std::nullopt;
}

bool IsPolicy(std::string_view name) { return name == config::kFileName; }

/// Returns the folder of the `.revctl.yaml` at `path`, with a trailing '/'.
std::string FolderOf(const std::string& path) {
  return path.substr(0, path.size() - config::kFileName.size());
}

/// Finds the branches that have a policy. Reads the branches at most once and only when needed,
/// because there may be thousands of them.
class PoliciesOnBranches {
 public:
  explicit PoliciesOnBranches(const git::Repository& repository) : repository_(repository) {}

  Result<std::vector<git::Repository::Found>> All() const {
    TRY(const auto branches, repository_.Refs("refs/heads/"));
    std::vector<git::Oid> tips;
    for (const auto& [ref, tip] : branches) tips.push_back(tip);
    return repository_.FilesNamed(tips, IsPolicy);
  }

  /// Returns the tips of branches that have a policy in `folder`: one tip per distinct policy text,
  /// in branch order.
  Result<std::vector<git::Oid>> In(const std::string& folder) {
    if (!asked_) {
      TRY(const auto files, All());
      for (const auto& found : files) tips_[FolderOf(found.file.path)].push_back(found.commit);
      asked_ = true;
    }
    return tips_[folder];
  }

 private:
  const git::Repository& repository_;
  bool asked_ = false;
  std::map<std::string, std::vector<git::Oid>> tips_;
};

/// Returns the policies that protect a folder. Normally, HEAD's `.revctl.yaml` names the target,
/// and the `.revctl.yaml` that the target had before the push applies. If HEAD's branch has no
/// policy, reads the policies on all branches, and each branch that names itself as the target is
/// protected. This also covers a HEAD that points to a missing branch: `git init --bare` chooses
/// master, but the team pushes main. A pushed policy applies only if there was no policy before.
Result<std::vector<ServerPolicy>> PoliciesOf(const git::Repository& repository,
                                             const std::string& folder,
                                             const std::vector<Update>& updates,
                                             PoliciesOnBranches& branches) {
  std::vector<ServerPolicy> out;
  std::optional<Error> unreadable;
  bool alone = false;
  const auto add_one = [&](config::Config policy) {
    if (std::none_of(out.begin(), out.end(),
                     [&](const ServerPolicy& one) { return one.config.target == policy.target; }))
      out.push_back({folder, std::move(policy), alone});
  };
  auto add = [&](const git::Oid& place, std::optional<Error>& unreadable_there) -> Result<Done> {
    auto policy = PolicyAt(repository, folder, place, unreadable_there);
    if (!policy) return Done{};
    TRY(auto tip, repository.Resolve("refs/heads/" + policy->target));
    auto own =
        tip && *tip != place ? PolicyAt(repository, folder, *tip, unreadable_there) : std::nullopt;
    if (own && own->target == policy->target) policy = std::move(own);
    else if (alone && tip != place) return Done{};
    add_one(std::move(*policy));
    return Done{};
  };
  TRY(auto head, repository.Head());
  if (head) {
    TRY(add(*head, unreadable));
  }
  alone = head.has_value();
  if (out.empty() && !unreadable) {
    TRY(const auto there, branches.In(folder));
    for (const git::Oid& tip : there) {
      // Ignore this error, because anyone may push an unreadable policy to a branch.
      std::optional<Error> said_nothing;
      TRY(add(tip, said_nothing));
    }
  }
  TRY(const auto of_head, repository.HeadBranch());
  for (const Update& update : updates) {
    if (!out.empty()) break;
    if (update.deletes() || !update.ref.starts_with("refs/heads/")) continue;
    // A push to HEAD's branch may fix the unreadable policy. Other pushes must not replace it.
    if (unreadable && (!head || update.before != *head)) continue;
    std::optional<Error> worse;
    alone = head && (!of_head || update.ref != "refs/heads/" + *of_head);
    if (auto policy = PolicyAt(repository, folder, update.after, worse);
        policy && (!alone || update.ref == "refs/heads/" + policy->target))
      add_one(std::move(*policy));
    if (worse) unreadable = worse;
  }
  if (out.empty() && unreadable) return *unreadable;
  return out;
}

Result<std::set<std::string>> Prefixes(const git::Repository& repository,
                                       const std::set<git::Oid>& commits) {
  TRY(auto files, repository.FilesNamed({commits.begin(), commits.end()}, IsPolicy));
  std::set<std::string> out = {""};
  for (const auto& found : files) out.insert(FolderOf(found.file.path));
  return out;
}

}  // namespace

Result<std::vector<ServerPolicy>> ServerPolicies(const git::Repository& repository,
                                                 const std::vector<Update>& updates,
                                                 std::vector<std::string>& unguarded) {
  std::set<git::Oid> commits;
  TRY(auto head, repository.Head());
  if (head) commits.insert(*head);
  for (const Update& update : updates) {
    if (!update.ref.starts_with("refs/heads/")) continue;
    if (!update.creates()) commits.insert(update.before);
    if (!update.deletes()) commits.insert(update.after);
  }
  if (!head) {
    TRY(auto branches, repository.Refs("refs/heads/"));
    for (const auto& [ref, tip] : branches) commits.insert(tip);
  }
  TRY(auto prefixes, Prefixes(repository, commits));
  PoliciesOnBranches branches(repository);
  std::vector<ServerPolicy> out;
  for (const std::string& prefix : prefixes) {
    auto policies = PoliciesOf(repository, prefix, updates, branches);
    if (!policies.ok() && prefix.empty()) return policies.error();
    if (!policies.ok()) unguarded.push_back(ErrorText(policies.error()));
    if (!policies.ok()) continue;
    std::move(policies->begin(), policies->end(), std::back_inserter(out));
  }
  return out;
}

Result<std::vector<ServerPolicy>> BranchPolicies(const git::Repository& repository) {
  TRY(auto files, PoliciesOnBranches(repository).All());
  std::vector<ServerPolicy> out;
  std::set<std::string> targets;
  for (const auto& [file, commit] : files) {
    const std::string prefix = FolderOf(file.path);
    // Ignore this error, because anyone may push an unreadable policy to a branch.
    std::optional<Error> said_nothing;
    auto policy = PolicyAt(repository, prefix, commit, said_nothing);
    if (policy && targets.insert(prefix + '\n' + policy->target + '\n' + policy->ledger).second)
      out.push_back({prefix, std::move(*policy)});
  }
  return out;
}

}  // namespace revctl::commands
