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
  pending::Plan plan;  ///< the revisions that are folded, were folded earlier, or are blocked
  std::string text;    ///< text of the list after the fold
};

struct FoldQuestion {
  const git::Repository* repository;
  std::string prefix;  ///< folder of `.revctl.yaml`, with a trailing '/'
  git::Oid base;       ///< the target's tip, which becomes the fold's parent
  std::string base_label;
  std::optional<git::Oid> at;  ///< if set, fold only revisions that were pending at this commit
  std::string only_list;
  /// The policy with the `goldens` command that records stale goldens; nullopt: the policy at the
  /// base.
  std::optional<config::LandPolicy> policy = std::nullopt;
  std::string command = "revctl fold";  ///< command that the user must repeat after an error
};

/// A planned fold. Planning does not write anything.
struct Fold {
  config::Config config;  ///< config at the base
  std::vector<FoldedList> lists;
  /// True if the fold has anything to commit.
  bool Any() const;
  /// True if the fold assigns a number to `name`.
  bool Folds(const std::string& name) const;
  /// Golden files that the fold regenerates: path relative to the repository's root, and blob id.
  std::map<std::string, std::string> goldens;
};

/// Returns the reason to keep all revisions pending if the number of the list's last entry is far
/// beyond that of the entry before it and no `floor` confirms it; otherwise "".
std::string DoubtAboutNumbers(const list::RevisionList& list, const list::ListConfig& config);
/// Plans a fold. `refused` contains names that must stay pending, each with the reason.
base::Result<Fold> PlanFold(const FoldQuestion& question,
                            const std::map<std::string, std::string>& refused = {});

/// Writes the fold as one commit on top of its base. Creates only objects; the work tree and all
/// refs stay unchanged.
base::Result<git::Oid> WriteFold(const FoldQuestion& question, const Fold& fold);

/// Returns the folded revisions whose goldens are stale at `commit`, each with the reason.
base::Result<std::map<std::string, std::string>> StaleIn(const FoldQuestion& question,
                                                         const Fold& fold, const git::Oid& commit);

/// Result of checking the regenerated goldens against RV019.
struct RefreshedGoldens {
  /// Revisions whose new goldens are incomplete, each with the reason.
  std::map<std::string, std::string> refused;
  std::set<std::string> untouched;  ///< revisions whose goldens are not stale and must not change
};
/// Checks the regenerated goldens of `fold` in the tree of `commit`.
base::Result<RefreshedGoldens> ValidateRefreshed(const FoldQuestion& question, const Fold& fold,
                                                 const git::Oid& commit);

}  // namespace revctl::commands
