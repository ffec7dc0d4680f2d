// Checks the commits of a push below its tip. For example, if a merge duplicates a number and the
// next commit fixes it, the tip is fine, but the bad merge would stay on the target.
#include <algorithm>
#include <set>

#include "revctl/findings/printable.h"
#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/history.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Rule;
using findings::RuleId;
using findings::Severity;

/// Limit on the total size of the lists in a push. Large lists that differ little compress well, so
/// even a small push may contain a lot of text.
constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

using LineCommit = git::Repository::CommitParents;

/// A push of several commits to the target or to a release branch.
struct PushedCommits {
  const GateRequest& tip;
  const git::Repository& repository;
  git::Oid before, after;
  std::optional<config::Config> policy;  ///< config at `before`; nullopt if it is unreadable
};

/// A commit that has to be checked: its list or goldens differ from those of the previous commit,
/// or it merges a newer state of the target.
struct CheckedCommit {
  const LineCommit* commit;
  std::optional<git::Oid> base;
};

Result<std::size_t> ListBytes(const PushedCommits& push, const git::Oid& commit) {
  std::size_t out = 0;
  const auto config = push.tip.tree.At(commit).Config();
  // Ignore errors here, because the check of this commit reports them.
  if (!config.ok() || !*config) return out;
  for (const list::ListConfig& list : (*config)->lists) {
    const auto text = push.repository.ReadFile(commit, push.tip.prefix() + list.path);
    out += text.ok() && *text ? (*text)->size() : 0;
  }
  return out;
}

/// Returns the newest commit of the target's first-parent line that `commit` contains. Does not use
/// the merge base, because it may be on a side branch that has since landed with different numbers.
Result<std::optional<git::Oid>> BaseOf(const PushedCommits& push, const git::Oid& commit) {
  if (commit == push.before) return std::optional(push.before);
  TRY(const auto newer, git::FirstParentLine(push.repository, push.before, commit));
  if (newer.empty()) return std::optional(push.before);
  const auto& parents = newer.back().parents;
  return parents.empty() ? std::optional<git::Oid>() : std::optional(parents.front());
}

Result<std::set<git::Oid>> Touching(const PushedCommits& push, const std::set<std::string>& paths) {
  TRY(const auto commits, git::FirstParentLineTouching(push.repository, push.after, push.before,
                                                       {paths.begin(), paths.end()}));
  return std::set<git::Oid>(commits.begin(), commits.end());
}

/// Returns the commits of `line` whose diff against their first parent touches `.revctl.yaml`, or a
/// list or folder named by `.revctl.yaml` in any of these commits.
Result<std::set<git::Oid>> Touched(const PushedCommits& push, const std::vector<LineCommit>& line) {
  const std::string config_path = push.tip.prefix() + std::string(config::kFileName);
  TRY(std::set<git::Oid> commits, Touching(push, {config_path}));
  commits.insert({push.before, push.after});
  if (!line.front().parents.empty()) commits.insert(line.front().parents.front());
  std::set<std::string> paths{config_path};
  for (const git::Oid& commit : commits) {
    // Skip an unreadable config. The check of the commit that introduced the config reports the
    // error.
    const auto config = push.tip.tree.At(commit).Config();
    if (!config.ok() || !*config) continue;
    for (const list::ListConfig& list : (*config)->lists) {
      paths.insert(push.tip.prefix() + list.path);
      paths.insert(push.tip.prefix() + pending::Folder(list));
      if (!list.golden.empty()) paths.insert(push.tip.prefix() + list.golden);
    }
  }
  return Touching(push, paths);
}

/// Returns the commits that change the list or its goldens, or that merge a newer state of the
/// target. The other commits need no check, so even a push of a thousand commits usually needs at
/// most one check.
Result<std::vector<CheckedCommit>> Places(const PushedCommits& push,
                                          const std::vector<LineCommit>& line) {
  TRY(const auto touched, Touched(push, line));
  std::vector<CheckedCommit> out;
  std::optional<git::Oid> base;
  const auto& parents = line.front().parents;
  if (!parents.empty()) {
    TRY(base, BaseOf(push, parents.front()));
  }
  for (const LineCommit& commit : line) {
    // A commit with a single parent contains the same state of the target as its parent.
    bool moved = false;
    if (commit.parents.size() != 1 && base != push.before) {
      TRY(auto now, BaseOf(push, commit.id));
      moved = now != base;
      base = std::move(now);
    }
    if (moved || touched.contains(commit.id)) out.push_back({&commit, base});
  }
  // Skip the last commit: its files equal those of the tip, which the gate has checked.
  if (!out.empty()) out.pop_back();
  return out;
}

Result<std::optional<std::int64_t>> NumberAt(const PushedCommits& push, const git::Oid& commit,
                                             const Finding& finding) {
  TRY(const auto config, push.tip.tree.At(commit).Config());
  for (const list::ListConfig& list : config ? config->lists : std::vector<list::ListConfig>()) {
    if (push.tip.prefix() + list.path != finding.file) continue;
    TRY(const auto text, push.repository.ReadFile(commit, finding.file));
    TRY(const auto parsed, list::Parse(text.value_or(""), list, finding.file));
    const list::Entry* entry = parsed.Find(finding.revision);
    return entry == nullptr ? std::optional<std::int64_t>() : std::optional(entry->number);
  }
  return Error{Exit::Usage, ".revctl.yaml has no such list", ""};
}

/// True if the finding's golden or number is the same in `commit` and on the target: either both
/// sides made the same fix, or a branch that landed earlier changed the revision's number.
bool IsSoOnTarget(const PushedCommits& push, const git::Oid& commit, const Finding& finding) {
  const auto same = [&](auto&& read) {
    auto here = read(commit), there = read(push.before);
    return here.ok() && there.ok() && *here == *there;
  };
  if (finding.rule == RuleId::LandedGolden && !finding.revision.empty())
    return same([&](const git::Oid& at) { return push.repository.ReadFile(at, finding.file); });
  if (!Is(finding, Rule::kComparesLandedEntry)) return false;
  return same([&](const git::Oid& at) { return NumberAt(push, at, finding); });
}

Result<Findings> FindingsAt(const PushedCommits& push, const LineCommit& commit,
                            const std::optional<git::Oid>& base) {
  GateRequest request = push.tip;
  request.mode = Mode::Intermediate;
  request.tree = push.tip.tree.At(commit.id);
  request.watch = nullptr;  // progress counts commits, not source files
  request.ledger.snapshot = nullptr;
  if (push.tip.target.tip) request.target.tip = request.base = base;
  auto found = RunGate(request);
  const std::string config_path = push.tip.prefix() + std::string(config::kFileName);
  if (!found.ok() && found.error().exit == Exit::Environment) return found;
  if (!found.ok()) {
    // The gate failed, for example because the config is not valid YAML. Report the error as a
    // finding.
    return Findings{
        {.rule = RuleId::UnreadableList, .message = ErrorText(found.error()), .file = config_path}};
  }
  // Also apply the allowances of the current target, which may be newer than those at the base.
  if (push.policy) ApplyAllowances(*push.policy, config_path, false, *found);
  if (base != push.before)
    std::erase_if(*found, [&](const Finding& f) { return IsSoOnTarget(push, commit.id, f); });
  return found;
}

/// Returns the commands that squash all later commits into this commit, so that it has the files of
/// the tip. Keeps the earlier commits. If the target is not among the commit's ancestors, the whole
/// push becomes one commit on top of the target.
Result<std::string> Squash(const PushedCommits& push, const LineCommit& commit,
                           const std::optional<git::Oid>& base) {
  TRY(const bool forward, push.repository.IsAncestor(push.before, push.after));
  const bool onto = push.tip.target.tip && forward && base != push.before;
  // git requires --allow-empty for a commit that changes nothing.
  std::string empty;
  if (onto || commit.parents.size() == 1) {
    TRY(const auto one, git::TreeOf(push.repository, push.after));
    TRY(const auto other,
        git::TreeOf(push.repository, onto ? push.before : commit.parents.front()));
    if (one == other) empty = " --allow-empty";
  }
  const std::string id = commit.id.substr(0, 10);
  return onto ? fmt::format("git reset --soft {} && git commit{} -C {}", push.before.substr(0, 10),
                            empty, id)
              : fmt::format("git reset --soft {} && git commit --amend --no-edit{}", id, empty);
}

Result<std::optional<Finding>> CheckOne(const PushedCommits& push, const LineCommit& commit,
                                        const std::optional<git::Oid>& base) {
  TRY(Findings found, FindingsAt(push, commit, base));
  std::erase_if(found, [](const Finding& f) {
    return f.severity != Severity::Error || Is(f, Rule::kSkipOnIntermediate);
  });
  if (found.empty()) return std::optional<Finding>();
  TRY(const auto read, push.repository.ReadCommit(commit.id));
  Finding told = std::move(found.front());
  told.line = 0;
  told.message = fmt::format("commit {} {} breaks a rule, and would stay in the history of {}: {}",
                             commit.id.substr(0, 10),
                             findings::Quoted(read.message.substr(0, read.message.find('\n'))),
                             push.tip.target.label, told.message);
  if (found.size() > 1)
    told.message += fmt::format("; and {} more findings in that commit", found.size() - 1);
  TRY(told.fix, Squash(push, commit, base));
  return std::optional(std::move(told));
}

/// Returns a finding about the earliest bad commit below the tip, or nullopt.
Result<std::optional<Finding>> CheckPush(PushedCommits& push) {
  const std::optional<Finding> fine;
  // Return early for a push of one commit, the usual case, without starting git.
  TRY(const auto last, push.repository.ReadCommit(push.after));
  if (last.parents.empty() || last.parents.front() == push.before) return fine;
  TRY(std::vector<LineCommit> line, git::FirstParentLine(push.repository, push.after, push.before));
  std::reverse(line.begin(), line.end());
  if (line.size() < 2) return fine;
  TRY(const auto places, Places(push, line));
  if (const auto policy = push.tip.tree.At(push.before).Config(); policy.ok())
    push.policy = *policy;
  std::size_t bytes = 0;
  std::size_t done = 0;
  for (const CheckedCommit& place : places) {
    if (push.tip.watch) push.tip.watch("commits", done++, places.size());
    TRY(const std::size_t more, ListBytes(push, place.commit->id));
    bytes += more;
    if (bytes > kMostLineBytes)
      return Error{Exit::Usage,
                   "the commits of this push contain more than 64 MiB of lists to check",
                   "push some of them first: git push REMOTE COMMIT:BRANCH"};
    TRY(auto wrong, CheckOne(push, *place.commit, place.base));
    if (wrong) return wrong;
  }
  return fine;
}

}  // namespace

Result<Findings> CheckIntermediateCommits(const GateRequest& tip, Findings at_tip) {
  TRY(auto after, tip.tree.Head());
  // If neither the branch nor the target existed before the push, nothing had landed, so there is
  // nothing to check.
  const std::optional<git::Oid> before =
      tip.target.tip || !tip.release_of ? tip.target.tip : tip.release_of->tip;
  if (findings::HasErrors(at_tip) || !after || !before) return at_tip;
  PushedCommits push{tip, tip.repository(), *before, *after, std::nullopt};
  TRY(auto wrong, CheckPush(push));
  if (wrong) at_tip.push_back(std::move(*wrong));
  return at_tip;
}

}  // namespace revctl::commands
