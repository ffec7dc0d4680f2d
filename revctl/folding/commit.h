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
  pending::Plan plan;  ///< revisions to fold, folded earlier, or blocked
  std::string text;    ///< text of the list after the fold
};

struct FoldQuestion {
  const git::Repository* repository;
  std::string prefix;  ///< folder of `.revctl.yaml`, with a trailing '/'
  git::Oid base;       ///< tip of the target, which becomes the fold's parent
  std::string base_label;
  std::optional<git::Oid> at;  ///< if set, fold only revisions that were pending at this commit
  std::string only_list;
  /// The policy whose `goldens` command regenerates stale goldens; nullopt means the policy at the
  /// base.
  std::optional<config::LandPolicy> policy = std::nullopt;
  std::string command = "revctl fold";  ///< command to run again after an error
};

/// A planned fold. Planning does not write anything.
struct Fold {
  config::Config config;  ///< config at the base
  std::vector<FoldedList> lists;
  /// True if there is anything to commit.
  bool Any() const;
  /// True if the fold assigns a number to `name`.
  bool Folds(const std::string& name) const;
  /// Golden files that the fold regenerates: path relative to the repository's root, and blob id.
  std::map<std::string, std::string> goldens;
};

/// Returns why all revisions must stay pending, or "" if they may be folded. They must stay pending
/// if the list's last number is far above the number before it and no `floor` confirms the jump.
std::string DoubtAboutNumbers(const list::RevisionList& list, const list::ListConfig& config);
/// Plans a fold. The names in `refused` stay pending, each for the given reason.
base::Result<Fold> PlanFold(const FoldQuestion& question,
                            const std::map<std::string, std::string>& refused = {});

/// Writes the fold as one commit on top of its base. Creates only git objects, and changes neither
/// the work tree nor any ref.
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

/// Folds the lists in a folder, which need not be in a repository: adds the pending revisions to
/// the lists, removes their files, and updates the include files. Skips lists without `numbers:
/// at-landing`. Revisions without goldens stay pending. A killed run can be repeated, because each
/// list is written before its pending files are removed.
base::Result<std::vector<FoldedList>> FoldFolder(const std::string& root,
                                                 const std::vector<const list::ListConfig*>& lists);

}  // namespace revctl::commands
