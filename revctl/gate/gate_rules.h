#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/facts.h"

// The rules of the gate: functions of facts that return findings. gate.cpp lists the modes in which
// each rule runs.
namespace revctl::commands {

// Rules about one list. All except CheckReadable and CheckPendingFolder require a readable list.

/// RV015, RV016: the list must exist and be readable.
base::Result<Findings> CheckReadable(const ListFacts& facts);
/// RV029: the pending folder must be a folder, and only lists with `numbers: at-landing` may have
/// pending files.
base::Result<Findings> CheckPendingFolder(const ListFacts& facts);
/// RV016: the target's list must be readable, and the list may `#include` only its pending
/// revisions.
base::Result<Findings> CheckTargetAndIncludes(const ListFacts& facts);
/// RV001 to RV014 for the merged list.
base::Result<Findings> CheckListRules(const ListFacts& facts);
/// RV001 to RV014 for a commit that does not land yet; a number that would be rejected at landing
/// is only a warning. Also RV029 and RV030 for pending revisions that the commit adds.
base::Result<Findings> CheckListOfCommit(const ListFacts& facts);
/// RV005 before a rebase: the change must not rename landed revisions.
base::Result<Findings> CheckRenames(const ListFacts& facts);
/// RV017: the list must merge cleanly as text.
base::Result<Findings> CheckTextMerge(const ListFacts& facts);
/// RV017: a text merge must not change the numbers of pending revisions.
base::Result<Findings> CheckShifts(const ListFacts& facts);
/// RV023: the lineages of landed revisions must not change.
base::Result<Findings> CheckLineages(const ListFacts& facts);
/// RV016: `oldest` in the config must name a revision.
base::Result<Findings> CheckOldest(const ListFacts& facts);

/// RV029 and RV030 for lists that have `numbers: at-landing` or switch to it. Compares the trees
/// before and after the change, regardless of its commits.
base::Result<Findings> CheckPendingFiles(const ListFacts& facts);
/// RV018: a release must not have pending files.
base::Result<Findings> CheckPendingOnRelease(const ListFacts& facts);
/// RV018: the list of a release must be a prefix of the target's list. RV019 and RV020: revisions
/// that are new on the release must have the same goldens as on the target.
base::Result<Findings> CheckRelease(const ListFacts& facts);

/// RV019: goldens of landed revisions must not change, even if their folder moves.
base::Result<Findings> CheckLandedGoldens(const ListFacts& facts);
/// RV020: pending revisions must have goldens.
base::Result<Findings> CheckPendingGoldens(const ListFacts& facts);
/// RV028: the goldens of a pending revision are stale if another revision landed after they were
/// recorded, both revisions use the same type, and one of the two changes that type.
base::Result<Findings> CheckStaleGoldens(const ListFacts& facts);

/// RV001 for a revision that this change and the target have both added, in different commits.
base::Result<Findings> CheckSharedRevisions(const ListFacts& facts);
/// RV011 for a pending revision that is reserved for a person who did not contribute to the change.
base::Result<Findings> CheckHolders(const ListFacts& facts);

/// RV024 for the config keys of a list. Reports edits after which landed revisions would be parsed
/// differently, the gate would check a different file than the code includes, or numbers and names
/// could be assigned again.
base::Result<Findings> CheckListPolicy(const ListFacts& facts);

// Rules about the whole change.

/// RV016 and RV019 for git attributes that would change the bytes of a list, of `.revctl.yaml` or
/// of goldens on checkout.
base::Result<Findings> CheckAttributes(const ChangeFacts& change,
                                       const std::vector<ListFacts>& lists);
/// RV029 for a pending file outside the pending folders of all lists. A merge can leave such a file
/// behind if the target has moved the list. Neither a fold nor the compiler would see the file.
base::Result<Findings> CheckStrayPending(const ChangeFacts& change,
                                         const std::vector<ListFacts>& lists);
/// RV021, RV022 and RV029 for how the sources use the lists. Does not need a compiler. On a
/// release, runs only RV021, which reports an error for a new revision that only the target's code
/// uses. The other rules about code run when the change lands on the target.
base::Result<Findings> CheckUse(const ChangeFacts& change, const std::vector<ListFacts>& lists);

struct PolicyChange {
  const config::Config& before;
  const config::Config& after;
  std::string file;
  /// Id of the ledger for the config `before`: empty if it is unreadable, nullopt if there is no
  /// ledger.
  std::optional<std::string> ledger;
};
/// RV024, and RV003 for a list that the change removes from the config. `weakening` is the severity
/// of a change that removes a protection.
Findings CheckPolicy(const PolicyChange& change, findings::Severity weakening);

/// Returns the severity of a config change that removes a protection. Normally this is an error,
/// because the next change would go unchecked. It is a warning if the repository that runs the
/// check has `revctl.allowPolicyChange = true` in its git config. On a server, only an
/// administrator can set that.
base::Result<findings::Severity> WeakeningSeverity(const git::Repository& repository);
/// Returns `fix`, followed by a sentence that explains how an administrator can allow a change that
/// removes a protection.
std::string AllowPolicyChange(const std::string& fix);

// Filters for findings, which run after all rules.

/// Removes findings that are only consequences of another finding about the same list. The table in
/// filters.cpp lists which rule hides which.
void HideFollowUps(Findings& found);

/// Removes findings that the target's config allows. Adds RV025 for expired allowances and, if all
/// rules have run (`complete`), for unused allowances.
void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     Findings& found);

}  // namespace revctl::commands
