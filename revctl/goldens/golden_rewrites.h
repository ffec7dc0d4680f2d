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

/// The way out for a golden that is stale on the target (RV028 says when it is). Of a landed one no
/// program has written files like it, and the target's harness is red until it is written anew; one
/// that is pending is written anew by its fold. The evidence is the target's own record: its
/// `previous` names a revision, and another one stands behind that shares a type with it. A record
/// that was made on top of such a one in this change counts as well, and so does a pending one
/// behind it that speaks of its goldens. One whose payloads are not those of its record is written
/// anew, too.
///
/// For each of the `edited` revisions that may be written anew, the finding about it: a warning or,
/// of a pending one, a note where that is done once and for all: made with all that stands before
/// it, each golden and value still there but those that the other revisions changed, which it
/// lists. Else an error that says what is wrong.
base::Result<std::map<std::string, findings::Finding>> FindWrittenAnew(
    const WritingAnew& question, const std::set<std::string>& edited);

}  // namespace revctl::commands
