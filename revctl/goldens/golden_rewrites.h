#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {

/// Inputs for CheckRewrites: the change, and the target whose goldens it rewrites.
struct RewriteQuestion {
  const Tree* side;  ///< the change
  git::Oid target;
  std::string target_label;
  std::string folder;  ///< of the goldens at `target`, relative to the repository's root
  /// A revision of the target, in fold order, and whether it is pending there.
  struct Listed {
    std::string name;
    bool pending = false;
  };
  std::vector<Listed> order;
  /// Revisions of the change's list, in order. A fold of some revisions may number them before
  /// others that precede them on the target.
  std::vector<std::string> numbered;
};

/// Decides which of the `edited` goldens a change may record again although the target has them:
/// those that are stale there (RV028). A stale landed golden keeps the target's harness red, and no
/// program has written files like it; a stale pending golden is refreshed by its fold. The target's
/// own record proves staleness: a revision after the record's `previous` and before the golden's
/// own shares a type with it. Pending records that were made on top of a stale one may change with
/// it. Every other edit of these goldens needs an `allow` for RV019.
///
/// Returns a finding for each revision that may be recorded again. If the new record is complete,
/// the finding is a warning, or a note for a pending revision. Complete means that it was made
/// after everything that precedes it and still has each golden and value, except for the values
/// that other revisions changed, which the finding lists. An incomplete record gives an error that
/// lists the missing parts.
base::Result<std::map<std::string, findings::Finding>> CheckRewrites(
    const RewriteQuestion& question, const std::set<std::string>& edited);

}  // namespace revctl::commands
