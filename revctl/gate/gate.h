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

/// The purpose of a check. It decides which rules apply (`kListChecks` in gate.cpp).
enum class Mode : unsigned {
  Land = 1u << 0,     ///< the change is about to land: all rules
  Server = 1u << 1,   ///< the commit becomes the tip of the target, so sources are not searched
  Release = 1u << 2,  ///< the target is a release, whose revisions must all be on `release_of`
  Commit = 1u << 3,   ///< pre-commit: numbers may still be late or unreserved
  Intermediate = 1u << 4,  ///< below the tip of a push: rules without kSkipOnIntermediate
  Questions = 1u << 5,  ///< only findings that a person has to decide, before a rebase hides them
  Versions = 1u << 6,   ///< two versions of a list as texts, without a repository
};

/// The branch that a change is compared with.
struct ComparedBranch {
  /// Returns `origin/main at 3f2c1d0abc` for messages, with the commit because the branch moves.
  std::string Text() const {
    const bool named = tip && label != tip->substr(0, 10);
    return named ? fmt::format("{} at {}", label, tip->substr(0, 10)) : label;
  }
  /// Returns the branch for commands in a fix. The commit is safer than the branch name, because a
  /// local branch of the same name may have other commits.
  std::string ForGit() const { return tip ? tip->substr(0, 10) : label; }

  std::optional<git::Oid> tip;        ///< nullopt if the branch does not exist yet
  std::string label = "origin/main";  ///< as commands take it
};

/// The known state of the ledger.
struct LedgerView {
  bool HasLedger() const { return snapshot != nullptr && snapshot->tip; }

  const ledger::Snapshot* snapshot = nullptr;  ///< null if unknown
  bool is_fresh = false;                       ///< just fetched, so it is not an old copy
  std::string copy_date = {};  ///< date of the clone's copy; empty if the server was asked
};

/// Two versions of a list for Mode::Versions. Version control systems other than git hand them to a
/// trigger as files. The revisions of `before` have landed.
struct ListVersions {
  config::Config config;              ///< with this list only, whose `path` findings name
  std::optional<std::string> before;  ///< nullopt: `after` brings the list
  std::optional<std::string> after;   ///< nullopt: the list is removed
};

/// Input of the gate: what to check, and against which target. `check` fills it in a clone,
/// `pre-receive` on a server. Pointers and `tree` refer to objects that must outlive RunGate().
struct GateRequest {
  explicit GateRequest(Tree checked) : tree(std::move(checked)) {}
  /// `before` names the version that has landed, for messages.
  GateRequest(ListVersions two, std::string before)
      : mode(Mode::Versions), tree(Tree::None()), versions(std::move(two)) {
    target.label = std::move(before);
  }

  const git::Repository& repository() const { return tree.repository(); }
  const std::string& prefix() const { return tree.folder(); }
  bool Is(Mode one) const { return mode == one; }

  Mode mode = Mode::Land;
  Tree tree;
  std::optional<ListVersions> versions;  ///< for Mode::Versions
  ComparedBranch target;
  std::optional<git::Oid> base;  ///< merge base; nullopt: look it up
  /// For a release and the commits pushed to it: the target, which the release's list must be a
  /// prefix of.
  std::optional<ComparedBranch> release_of;
  LedgerView ledger;
  std::string only_list;         ///< name or path of the list to check; empty: all
  base::ProgressCallback watch;  ///< called for each source read and each commit of a push
};

/// True if the merge in progress in the work tree joins the target. Then the gate checks the commit
/// that will conclude it.
base::Result<bool> MergesTarget(const GateRequest& request);

/// Returns all findings. Fails only if the check cannot run, for example on unreadable objects.
base::Result<Findings> RunGate(const GateRequest& request);

}  // namespace revctl::commands
