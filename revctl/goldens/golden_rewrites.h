#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/tree/file_tree.h"

namespace revctl::commands {

/// Which goldens of a target are written anew by a change, and what both sides have.
struct WritingAnew {
  const git::Repository* repository;
  const FileTree* side;  ///< the change
  git::Oid target;
  std::string target_label;
  std::string folder;  ///< of the goldens at `target`, from the repository's root
  /// The target's revisions in the order that a fold gives, and whether each is pending there.
  struct Listed {
    std::string name;
    bool pending = false;
  };
  std::vector<Listed> order;
  /// What the change has in its list, in order. A fold of some revisions numbers them before others
  /// that they stand behind on the target.
  std::vector<std::string> numbered;
};

/// Decides which of the `edited` goldens may be recorded again although the target has them: those
/// that are stale there (RV028). A landed one keeps the target's harness red, and no program has
/// written files like it; a pending one is refreshed by its fold. The evidence is the target's own
/// record: its `previous` names a revision, and a later one before it shares a type with it.
/// Pending records that were made on top of a stale one may change with it. Every other edit of
/// these goldens needs an `allow` for RV019.
///
/// Returns a finding for each revision that may be recorded again. It is a warning, or a note if
/// the revision is pending, if the new record is complete: made after everything that stands before
/// it, with each golden and value except those that other revisions changed, which the finding
/// lists. Otherwise it is an error that says what is missing.
base::Result<std::map<std::string, findings::Finding>> FindWrittenAnew(
    const WritingAnew& question, const std::set<std::string>& edited);

}  // namespace revctl::commands
