#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/workspace/pending_files.h"

namespace revctl::commands {

/// What a fold does with one list.
struct FoldedList {
  list::ListConfig config;  ///< as the base has it
  pending::Plan plan;       ///< what is folded, what came back, what is blocked
  std::string text;         ///< the list afterwards
};

/// What a fold is made of.
struct FoldQuestion {
  const git::Repository* repository;
  std::string prefix;          ///< folder of `.revctl.yaml`, with its final '/'
  git::Oid base;               ///< the target's tip; the fold's parent
  std::string base_label;      ///< `origin/main`
  std::optional<git::Oid> at;  ///< only what was pending there
  std::string only_list;       ///< --list
};

/// A fold as a value: nothing is written yet.
struct Fold {
  config::Config config;  ///< the base's
  std::vector<FoldedList> lists;
  /// Something is to be committed.
  bool Any() const;
  /// It is given its number.
  bool Folds(const std::string& name) const;
  /// Files in golden folders that the fold writes anew, from the repository's root, to blobs.
  std::map<std::string, std::string> goldens;
};

/// `refused`: names that stay pending, and why.
base::Result<Fold> PlanFold(const FoldQuestion& question,
                            const std::map<std::string, std::string>& refused = {});

/// The fold as one commit on its base, made of objects alone: neither the work tree nor a ref
/// changes.
base::Result<git::Oid> WriteFold(const FoldQuestion& question, const Fold& fold);

/// Folded revisions whose goldens are stale in the tree of `commit`, by list.
base::Result<std::map<std::string, std::string>> StaleIn(const FoldQuestion& question,
                                                         const Fold& fold, const git::Oid& commit);

/// Golden files that a refresh wrote, of which the fold takes what it may (RV019).
struct TakenGoldens {
  std::map<std::string, std::string> refused;  ///< not written anew as a whole, and what is wrong
  std::set<std::string> untouched;  ///< revisions that are not stale: theirs stay as they are
};
/// Of those of `fold`, which `commit` holds.
base::Result<TakenGoldens> CheckTaken(const FoldQuestion& question, const Fold& fold,
                                      const git::Oid& commit);

}  // namespace revctl::commands
