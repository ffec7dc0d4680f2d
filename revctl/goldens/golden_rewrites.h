#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {

/// Input of CheckRewrites: the change, and the target whose goldens the change replaces.
struct RewriteQuestion {
  const Tree* side;  ///< tree of the change
  git::Oid target;
  std::string target_label;
  std::string folder;  ///< golden folder at `target`, relative to the repository's root
  /// A revision on the target, in fold order; `pending` tells whether it still waits for a fold.
  struct Listed {
    std::string name;
    bool pending = false;
  };
  std::vector<Listed> order;
  /// The revisions of the change's list, in order. If only some revisions are folded, they may get
  /// numbers before others that precede them on the target.
  std::vector<std::string> numbered;
};

/// Decides which of the `edited` goldens a change may replace although the target has them: only
/// those that are stale on the target (RV028). A stale landed golden keeps the target's harness
/// red, and no program has written files like it; a stale pending golden will be refreshed by its
/// fold. The target's own record must prove that the golden is stale: a revision between the
/// record's `previous` and the golden's own revision shares a type with it. Pending records that
/// were made on top of a stale golden may change together with it. Every other edit of these
/// goldens needs an `allow` for RV019.
///
/// Returns a finding for each revision whose goldens may be replaced. If the new record is
/// complete, the finding is a warning, or a note for a pending revision. A record is complete if it
/// was made on top of everything that precedes it and still has each golden and value, except for
/// values that other revisions changed; the finding lists these. If the new record is incomplete,
/// the finding is an error that lists the missing parts.
base::Result<std::map<std::string, findings::Finding>> CheckRewrites(
    const RewriteQuestion& question, const std::set<std::string>& edited);

}  // namespace revctl::commands
