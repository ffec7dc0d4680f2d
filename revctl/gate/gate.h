#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/findings/finding.h"
#include "revctl/ledger/ledger.h"
#include "revctl/session/progress_line.h"
#include "revctl/source_scan/source_code.h"

namespace revctl::commands {

/// Input of the gate: what to check, and against which target. `check` fills it in a clone,
/// `pre-receive` on a server. Pointers and `side` refer to objects that must outlive RunGate().
struct GateRequest {
  /// Which rules apply.
  enum class Scope {
    Landing,  ///< all rules: the change is about to land
    Commit,   ///< pre-commit: problems on any branch; numbers may still be late or unreserved
    Release,  ///< the target is a release branch: every revision must already be on `main_tip`
  };
  /// Returns `origin/main at 3f2c1d0abc` for messages, with the commit because the branch moves.
  std::string TargetText() const {
    const bool named = target && target_label != target->substr(0, 10);
    return named ? fmt::format("{} at {}", target_label, target->substr(0, 10)) : target_label;
  }
  /// Returns the target for commands in a fix. The commit is safer than the branch name, because a
  /// local branch of the same name may have other commits.
  std::string TargetForGit() const { return target ? target->substr(0, 10) : target_label; }
  GateRequest(const git::Repository& in, std::string folder, FileTree judged)
      : repository(&in), prefix(std::move(folder)), side(std::move(judged)) {}

  Scope scope = Scope::Landing;
  const git::Repository* repository;
  std::string prefix;  ///< folder of .revctl.yaml within the repository, with a trailing '/'
  FileTree side;
  std::optional<git::Oid> target;  ///< tip of the target; nullopt if the target does not exist yet
  std::optional<git::Oid> base;    ///< merge base; nullopt: look it up
  std::string target_label = "origin/main";  ///< as commands take it
  /// for Scope::Release: tip of the target, which the release's list must be a prefix of
  std::optional<git::Oid> main_tip;
  std::string main_label;
  const ledger::Snapshot* ledger = nullptr;  ///< null if unknown
  bool ledger_asked = false;  ///< the ledger was just fetched, so it is not an old copy
  /// date of the clone's copy of the ledger; empty if the server was asked
  std::string ledger_copy;
  std::string only_list;
  bool use_in_code = false;  ///< also check RV021 and RV022, which search the sources
  /// Later commits of the same push follow, so ignore rules with the flag kSkipOnIntermediate.
  bool on_the_way = false;
  HowManyAreDone watch;  ///< called for each source read and each commit of a push
  /// Looks only for findings that a person has to decide, before a rebase hides them.
  bool questions_only = false;
};

/// True if the merge in progress in the work tree joins the target. Then the gate checks the commit
/// that will conclude it.
base::Result<bool> MergesTarget(const GateRequest& request);

/// Returns all findings. Fails only if the check cannot run, for example on unreadable objects.
base::Result<std::vector<findings::Finding>> RunGate(const GateRequest& request);

}  // namespace revctl::commands
