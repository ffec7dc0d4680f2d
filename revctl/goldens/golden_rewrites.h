#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {

/// The input of CheckRewrites: the change, and the target whose goldens it replaces.
struct RewriteQuestion {
  const Tree* side;  ///< tree of the change
  git::Oid target;
  std::string target_label;
  std::string folder;  ///< golden folder at `target`, relative to the repository's root
  /// A revision on the target, in fold order. `pending` is true if the revision is still waiting
  /// for a fold.
  struct Listed {
    std::string name;
    bool pending = false;
  };
  std::vector<Listed> order;
  /// The revisions in the change's list, in order. A change that folds only some pending revisions
  /// can place them before revisions that come earlier in `order`.
  std::vector<std::string> numbered;
};

/// Determines which of the `edited` goldens, all of them already on the target, a change may
/// replace. A change may replace only goldens that are stale on the target (RV028), because a stale
/// landed golden fails the target's harness, and a fold regenerates a stale pending golden anyway.
/// The target's own record must prove that the golden is stale: a revision between the record's
/// `previous` and the golden's own revision shares a type with it. Pending records based on a stale
/// golden may change together with it. Any other edit of these goldens needs an `allow` for RV019.
///
/// Returns a finding for each revision whose goldens may be replaced. If the new record is
/// complete, the finding is a warning, or a note for a pending revision. A complete record is based
/// on all preceding revisions and still has every golden and value, except for values that other
/// revisions changed, which the finding lists. If the new record is incomplete, the finding is an
/// error that lists the missing parts.
base::Result<std::map<std::string, findings::Finding>> CheckRewrites(
    const RewriteQuestion& question, const std::set<std::string>& edited);

}  // namespace revctl::commands
