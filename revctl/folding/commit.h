#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/workspace/pending_files.h"

namespace revctl::commands {

struct FoldedList {
  list::ListConfig config;
  pending::Plan plan;  ///< which revisions are folded, already folded, or blocked
  std::string text;    ///< the list after the fold
};

struct FoldQuestion {
  const git::Repository* repository;
  std::string prefix;  ///< folder of `.revctl.yaml`, with a trailing '/'
  git::Oid base;       ///< the target's tip, which becomes the fold's parent
  std::string base_label;
  std::optional<git::Oid> at;  ///< fold only what was pending at this commit
  std::string only_list;
  /// Whose `goldens` command records stale goldens again; nullopt: the base's.
  std::optional<config::LandPolicy> policy = std::nullopt;
  std::string command = "revctl fold";  ///< what a user runs again after an error
};

/// A planned fold. Planning writes nothing.
struct Fold {
  config::Config config;  ///< from the base
  std::vector<FoldedList> lists;
  /// True if there is something to commit.
  bool Any() const;
  /// True if the fold gives `name` its number.
  bool Folds(const std::string& name) const;
  /// Golden files that the fold regenerates: path from the repository's root, and blob id.
  std::map<std::string, std::string> goldens;
};

/// Returns why a person has to confirm the numbers that a fold would give: the latest number of the
/// list is typed, and far above the one before it. Returns "" if nothing has to be confirmed.
std::string DoubtAboutNumbers(const list::RevisionList& list, const list::ListConfig& config);

/// Plans a fold. `refused` maps names that must stay pending to the reason.
base::Result<Fold> PlanFold(const FoldQuestion& question,
                            const std::map<std::string, std::string>& refused = {});

/// Writes the fold as one commit on top of its base. Creates only objects; the work tree and all
/// refs stay unchanged.
base::Result<git::Oid> WriteFold(const FoldQuestion& question, const Fold& fold);

/// Returns the folded revisions whose goldens are stale at `commit`: name and reason.
base::Result<std::map<std::string, std::string>> StaleIn(const FoldQuestion& question,
                                                         const Fold& fold, const git::Oid& commit);

/// The check of regenerated goldens against RV019.
struct RefreshedGoldens {
  std::map<std::string, std::string> refused;  ///< revisions with incomplete goldens, and why
  std::set<std::string> untouched;             ///< not stale, so their goldens must not change
};
/// Checks the regenerated goldens of `fold` in the tree of `commit`.
base::Result<RefreshedGoldens> ValidateRefreshed(const FoldQuestion& question, const Fold& fold,
                                                 const git::Oid& commit);

}  // namespace revctl::commands
