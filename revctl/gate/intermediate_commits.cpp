// Checks the commits of a push below its tip. For example, a merge may duplicate a number and the
// next commit fix it: the tip is fine, but the bad merge would stay on the target.
#include "revctl/gate/intermediate_commits.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "revctl/findings/printable.h"
#include "revctl/findings/rule_table.h"
#include "revctl/gate/filters.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/list_at.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Rule;
using findings::RuleId;
using findings::Severity;

/// Limit on all lists in a push. Large lists that differ little compress well.
constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

struct LineCommit {
  git::Oid id;
  std::vector<git::Oid> parents;
};

Result<std::string> RevList(const git::Repository& repository, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"rev-list", "--first-parent"});
  TRY(auto run, repository.Git(std::move(arguments)));
  if (!run.ok())
    return Error{Exit::Environment,
                 "the commits of a push cannot be listed: " + git::LastLines(run.err), ""};
  return std::move(run.out);
}

/// Parses lines "COMMIT PARENT..." of `git rev-list --parents`.
std::vector<LineCommit> ParseCommits(const std::string& text) {
  std::vector<LineCommit> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    LineCommit& commit = out.emplace_back();
    words >> commit.id;
    for (std::string parent; words >> parent;) commit.parents.push_back(std::move(parent));
  }
  return out;
}

class LineCheck {
 public:
  LineCheck(const GateRequest& tip, git::Oid before, git::Oid after)
      : tip_(tip),
        repository_(*tip.repository),
        before_(std::move(before)),
        after_(std::move(after)) {}

  Result<std::optional<Finding>> Run() {
    const std::optional<Finding> fine;
    // Most pushes have one commit. Handle it without starting git.
    TRY(const auto last, repository_.ReadCommit(after_));
    if (last.parents.empty() || last.parents.front() == before_) return fine;
    TRY(const auto text, RevList(repository_, {"--parents", "--reverse", after_, "^" + before_}));
    const std::vector<LineCommit> line = ParseCommits(text);
    if (line.size() < 2) return fine;
    TRY(const auto places, Places(line));
    if (const auto policy = ConfigAt(repository_, before_, tip_.prefix); policy.ok())
      policy_ = *policy;
    std::size_t bytes = 0;
    std::size_t done = 0;
    for (const CheckedCommit& place : places) {
      if (tip_.watch) tip_.watch("commits", done++, places.size());
      TRY(const std::size_t more, ListBytes(place.commit->id));
      bytes += more;
      if (bytes > kMostLineBytes)
        return Error{Exit::Usage,
                     "the commits of this push have more than 64 MiB of lists to judge",
                     "push a part of them first: git push REMOTE COMMIT:BRANCH"};
      TRY(auto wrong, CheckOne(*place.commit, place.base));
      if (wrong) return wrong;
    }
    return fine;
  }

 private:
  /// A commit whose list or goldens differ from the previous commit's, or that joins another state
  /// of the target.
  struct CheckedCommit {
    const LineCommit* commit;
    std::optional<git::Oid> base;
  };

  Result<std::size_t> ListBytes(const git::Oid& commit) const {
    std::size_t out = 0;
    const auto config = ConfigAt(repository_, commit, tip_.prefix);
    if (!config.ok() || !*config) return out;  // reported when that commit is checked
    for (const list::ListConfig& list : (*config)->lists) {
      const auto text = repository_.ReadFile(commit, tip_.prefix + list.path);
      out += text.ok() && *text ? (*text)->size() : 0;
    }
    return out;
  }

  /// Returns the commits where the list, its goldens or the joined state of the target change. The
  /// others need no check, so a push of a thousand commits usually costs one check or none.
  Result<std::vector<CheckedCommit>> Places(const std::vector<LineCommit>& line) const {
    TRY(const auto touched, Touched(line));
    std::vector<CheckedCommit> out;
    std::optional<git::Oid> base;
    const auto& parents = line.front().parents;
    if (!parents.empty()) {
      TRY(base, BaseOf(parents.front()));
    }
    for (const LineCommit& commit : line) {
      // A commit with one parent has joined the same state of the target as its parent.
      bool moved = false;
      if (commit.parents.size() != 1 && base != before_) {
        TRY(auto now, BaseOf(commit.id));
        moved = now != base;
        base = std::move(now);
      }
      if (moved || touched.contains(commit.id)) out.push_back({&commit, base});
    }
    // The last one has the same files as the tip, which has been checked.
    if (!out.empty()) out.pop_back();
    return out;
  }

  /// Returns the newest commit of the target's first-parent line that `commit` contains. The merge
  /// base may be on a side branch that has since landed under other numbers.
  Result<std::optional<git::Oid>> BaseOf(const git::Oid& commit) const {
    if (commit == before_) return std::optional(before_);
    TRY(const auto text, RevList(repository_, {"--parents", before_, "^" + commit}));
    const std::vector<LineCommit> newer = ParseCommits(text);
    if (newer.empty()) return std::optional(before_);
    const auto& parents = newer.back().parents;
    return parents.empty() ? std::optional<git::Oid>() : std::optional(parents.front());
  }

  /// Returns the commits that change, compared with their first parent, `.revctl.yaml` or a file
  /// that it names anywhere on the line.
  Result<std::set<git::Oid>> Touched(const std::vector<LineCommit>& line) const {
    const std::string config_path = tip_.prefix + std::string(config::kFileName);
    TRY(std::set<git::Oid> commits, Touching({config_path}));
    commits.insert({before_, after_});
    if (!line.front().parents.empty()) commits.insert(line.front().parents.front());
    std::set<std::string> paths{config_path};
    for (const git::Oid& commit : commits) {
      // An unreadable config is reported for the commit that introduced it.
      const auto config = ConfigAt(repository_, commit, tip_.prefix);
      if (!config.ok() || !*config) continue;
      for (const list::ListConfig& list : (*config)->lists) {
        paths.insert(tip_.prefix + list.path);
        paths.insert(tip_.prefix + pending::Folder(list));
        if (!list.golden.empty()) paths.insert(tip_.prefix + list.golden);
      }
    }
    return Touching(paths);
  }

  Result<std::set<git::Oid>> Touching(const std::set<std::string>& paths) const {
    std::vector<std::string> arguments{after_, "^" + before_, "--"};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    TRY(const auto text, RevList(repository_, std::move(arguments)));
    std::set<git::Oid> out;
    for (const LineCommit& commit : ParseCommits(text)) out.insert(commit.id);
    return out;
  }

  Result<std::optional<Finding>> CheckOne(const LineCommit& commit,
                                          const std::optional<git::Oid>& base) const {
    TRY(Findings found, Found(commit, base));
    std::erase_if(found, [](const Finding& f) {
      return f.severity != Severity::Error || Is(f, Rule::kSkipOnIntermediate);
    });
    if (found.empty()) return std::optional<Finding>();
    TRY(const auto read, repository_.ReadCommit(commit.id));
    Finding told = std::move(found.front());
    told.line = 0;
    told.message =
        fmt::format("commit {} {} would stay on {} as it is: {}", commit.id.substr(0, 10),
                    findings::Quoted(read.message.substr(0, read.message.find('\n'))),
                    tip_.target.label, told.message);
    if (found.size() > 1)
      told.message += fmt::format("; it has {} more such findings", found.size() - 1);
    TRY(told.fix, Squash(commit, base));
    return std::optional(std::move(told));
  }

  Result<Findings> Found(const LineCommit& commit, const std::optional<git::Oid>& base) const {
    GateRequest request = tip_;
    request.mode = Mode::Intermediate;
    request.tree = FileTree::Commit(repository_, commit.id);
    request.watch = nullptr;  // only commits are counted
    request.ledger.snapshot = nullptr;
    if (tip_.target.tip) request.target.tip = request.base = base;
    auto found = RunGate(request);
    const std::string config_path = tip_.prefix + std::string(config::kFileName);
    if (!found.ok() && found.error().exit == Exit::Environment) return found;
    if (!found.ok()) {
      // Findings without a rule, for example a config that is not YAML.
      return Findings{{.rule = RuleId::UnreadableList,
                       .message = ErrorText(found.error()),
                       .file = config_path}};
    }
    // Apply the target's current allowances, not only those from where the commit began.
    if (policy_) ApplyAllowances(*policy_, config_path, false, *found);
    if (base != before_)
      std::erase_if(*found, [&](const Finding& f) { return IsSoOnTarget(commit.id, f); });
    return found;
  }

  /// True if the commit differs from its base, and the target has the same difference by now: both
  /// made the same fix, or the branch that landed first gave the revision another number.
  bool IsSoOnTarget(const git::Oid& commit, const Finding& finding) const {
    const auto same = [&](auto&& read) {
      auto here = read(commit), there = read(before_);
      return here.ok() && there.ok() && *here == *there;
    };
    if (finding.rule == RuleId::LandedGolden && !finding.revision.empty())
      return same([&](const git::Oid& at) { return repository_.ReadFile(at, finding.file); });
    if (!Is(finding, Rule::kComparesLandedEntry)) return false;
    return same([&](const git::Oid& at) { return NumberAt(at, finding); });
  }

  Result<std::optional<std::int64_t>> NumberAt(const git::Oid& commit,
                                               const Finding& finding) const {
    TRY(const auto config, ConfigAt(repository_, commit, tip_.prefix));
    for (const list::ListConfig& list : config ? config->lists : std::vector<list::ListConfig>()) {
      if (tip_.prefix + list.path != finding.file) continue;
      TRY(const auto text, repository_.ReadFile(commit, finding.file));
      TRY(const auto parsed, list::Parse(text.value_or(""), list, finding.file));
      const list::Entry* entry = parsed.Find(finding.revision);
      return entry == nullptr ? std::optional<std::int64_t>() : std::optional(entry->number);
    }
    return Error{Exit::Usage, "no such list", ""};
  }

  /// Returns the commands that replace the commit's files with the tip's. Earlier commits and its
  /// parents are kept; if these lack the target, the whole push becomes one commit on the target.
  Result<std::string> Squash(const LineCommit& commit, const std::optional<git::Oid>& base) const {
    TRY(const bool forward, repository_.IsAncestor(before_, after_));
    const bool onto = tip_.target.tip && forward && base != before_;
    // git needs --allow-empty for a commit without changes.
    std::string empty;
    if (onto || commit.parents.size() == 1) {
      TRY(const auto trees,
          repository_.Git({"rev-parse", after_ + "^{tree}",
                           (onto ? before_ : commit.parents.front()) + "^{tree}"}));
      std::istringstream words(trees.out);
      std::string one, other;
      words >> one >> other;
      if (one == other) empty = " --allow-empty";
    }
    const std::string id = commit.id.substr(0, 10);
    return onto ? fmt::format("git reset --soft {} && git commit{} -C {}", before_.substr(0, 10),
                              empty, id)
                : fmt::format("git reset --soft {} && git commit --amend --no-edit{}", id, empty);
  }

  const GateRequest& tip_;
  const git::Repository& repository_;
  const git::Oid before_, after_;
  std::optional<config::Config> policy_;  ///< of `before_`; nullopt if it is unreadable
};

}  // namespace

Result<base::Done> CheckLine(const GateRequest& tip, Findings& found) {
  TRY(auto after, tip.tree.Head());
  // Skip the first push to a branch, because nothing had landed before.
  const std::optional<git::Oid> before =
      tip.target.tip || !tip.release_of ? tip.target.tip : tip.release_of->tip;
  const bool red = std::any_of(found.begin(), found.end(),
                               [](const Finding& f) { return f.severity == Severity::Error; });
  if (red || !after || !before) return base::Done{};
  TRY(auto wrong, LineCheck(tip, *before, *after).Run());
  if (wrong) found.push_back(std::move(*wrong));
  return base::Done{};
}

}  // namespace revctl::commands
