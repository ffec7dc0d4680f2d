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

/// What the gate judges, and against what. Used by `check` in a clone and by `pre-receive` on a
/// server alike.
struct GateRequest {
  /// How much of the rules holds for this change.
  enum class Scope {
    Landing,  ///< all of them: this is about to land
    Commit,   ///< pre-commit: what is wrong wherever it is committed; a number may still be late or
              ///< unreserved
    Release,  ///< the target is a release branch: nothing new may come, all of it must be on
              ///< `main_tip`
  };
  /// For messages: `origin/main at 3f2c1d0abc`, since the branch moves on.
  std::string TargetText() const {
    const bool named = target && target_label != target->substr(0, 10);
    return named ? fmt::format("{} at {}", target_label, target->substr(0, 10)) : target_label;
  }
  /// For commands that take something from it: a branch of that name may be a person's own, which a
  /// push would land.
  std::string TargetForGit() const { return target ? target->substr(0, 10) : target_label; }
  GateRequest(const git::Repository& in, std::string folder, FileTree judged)
      : repository(&in), prefix(std::move(folder)), side(std::move(judged)) {}

  Scope scope = Scope::Landing;
  const git::Repository* repository;
  std::string prefix;  ///< folder of .revctl.yaml within the repository, with its final '/'
  FileTree side;
  std::optional<git::Oid> target;            ///< tip of the target; nullopt: it does not exist yet
  std::optional<git::Oid> base;              ///< of the merge; nullopt: the merge base is looked up
  std::string target_label = "origin/main";  ///< as a command takes it
  /// Scope::Release: tip of the target that release lists are a prefix of
  std::optional<git::Oid> main_tip;
  std::string main_label;
  const ledger::Snapshot* ledger = nullptr;  ///< null: not known
  bool ledger_asked = false;                 ///< it is as the server has it now, not an old copy
  std::string ledger_copy;   ///< of when a clone's copy of it is; empty: the server was asked
  std::string only_list;     ///< --list
  bool use_in_code = false;  ///< RV021, RV022: needs a grep of the sources
  /// Later commits of the same push follow: only what RulesOnTheWay() asks is looked for.
  bool on_the_way = false;
  HowManyAreDone watch;  ///< told of each source that is read, and of each commit of a push
};

/// Whether the merge that is going on in the work tree joins the target: then the commit that is
/// still to be made is judged.
base::Result<bool> MergesTarget(const GateRequest& request);

/// Every finding, not the first; an Error only where something is missing that the judgement needs.
base::Result<std::vector<findings::Finding>> RunGate(const GateRequest& request);

}  // namespace revctl::commands
