#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/config/config.h"
#include "revctl/findings/finding.h"
#include "revctl/ledger/ledger.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {

using Findings = std::vector<findings::Finding>;

/// The purpose of a check, which determines which rules run (`kListChecks` in gate.cpp).
enum class Mode : unsigned {
  Land = 1u << 0,     ///< the change is about to land, so all rules run
  Server = 1u << 1,   ///< the commit becomes the tip of the target; sources are not searched
  Release = 1u << 2,  ///< the target is a release, and `release_of` must have all its revisions
  Commit = 1u << 3,   ///< in the pre-commit hook: numbers may still be late or unreserved
  /// A commit below the tip of a push: skip rules with kSkipOnIntermediate.
  Intermediate = 1u << 4,
  /// Before a rebase: report only findings that the rebase would hide and that need a person's
  /// decision.
  Questions = 1u << 5,
  Versions = 1u << 6,  ///< compares two versions of a list's file, without a repository
};

/// The branch that the gate compares a change with.
struct ComparedBranch {
  /// Returns `origin/main at 3f2c1d0abc` for messages. Includes the commit, because the branch
  /// moves.
  std::string Text() const {
    const bool named = tip && label != tip->substr(0, 10);
    return named ? fmt::format("{} at {}", label, tip->substr(0, 10)) : label;
  }
  /// Returns how git commands in a fix refer to the branch: by its commit id if it is known,
  /// because a local branch of the same name may have different commits.
  std::string ForGit() const { return tip ? tip->substr(0, 10) : label; }

  std::optional<git::Oid> tip;        ///< nullopt if the branch does not exist yet
  std::string label = "origin/main";  ///< branch name in a form that git commands accept
};

/// The state of the ledger as the gate knows it.
struct LedgerView {
  bool HasLedger() const { return snapshot != nullptr && snapshot->tip; }

  const ledger::Snapshot* snapshot = nullptr;  ///< null if the ledger is unknown
  bool is_fresh = false;  ///< true if the snapshot was just fetched, false if it is an older copy
  /// Date of the clone's copy; empty if the snapshot comes from the server.
  std::string copy_date = {};
};

/// Two versions of a list, for Mode::Versions. Version control systems other than git pass them to
/// a trigger as files. The revisions in `before` have landed.
struct ListVersions {
  config::Config config;              ///< config with only this list; findings contain its `path`
  std::optional<std::string> before;  ///< nullopt if `after` adds the list
  std::optional<std::string> after;   ///< nullopt if the list is removed
};

/// Input of the gate: the tree to check, and the target. `check` fills it in for a clone, and
/// `pre-receive` for a server. `tree` and the pointers refer to objects that must outlive
/// RunGate().
struct GateRequest {
  explicit GateRequest(Tree checked) : tree(std::move(checked)) {}
  /// `before` is the name of the landed version, for messages.
  GateRequest(ListVersions two, std::string before)
      : mode(Mode::Versions), tree(Tree::None()), versions(std::move(two)) {
    target.label = std::move(before);
  }

  const git::Repository& repository() const { return tree.repository(); }
  const std::string& prefix() const { return tree.folder(); }
  bool Is(Mode one) const { return mode == one; }

  Mode mode = Mode::Land;
  Tree tree;
  std::optional<ListVersions> versions;  ///< only for Mode::Versions
  ComparedBranch target;
  std::optional<git::Oid> base;  ///< merge base; if nullopt, RunGate() determines it
  /// The target, whose list must begin with the release's list. Set only for releases and for
  /// commits that are pushed to a release.
  std::optional<ComparedBranch> release_of;
  LedgerView ledger;
  std::string only_list;  ///< name or path of the only list to check; empty to check all lists
  /// Called for each source file that the gate reads, and for each commit of a push.
  base::ProgressCallback watch;
};

/// True if the work tree is in the middle of a merge with the target. In that case, the gate checks
/// the commit that will conclude the merge.
base::Result<bool> MergesTarget(const GateRequest& request);

/// Returns all findings. Fails only if the check itself cannot run, for example if an object is
/// unreadable.
base::Result<Findings> RunGate(const GateRequest& request);

/// Checks the commits below the tip of a push that will be on the first-parent line of the target
/// or of a release. Each of these commits needs a valid list and the landed goldens, because people
/// build programs from any of them, for example during `git bisect`. Returns `at_tip`, the findings
/// of the gate for `tip`. If any commit is bad, adds a finding for the earliest bad commit, with
/// the command that squashes all later commits into it. Checks no commit if `at_tip` has errors,
/// because the user must fix the errors first.
base::Result<Findings> CheckIntermediateCommits(const GateRequest& tip, Findings at_tip);

}  // namespace revctl::commands
