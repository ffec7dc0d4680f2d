#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/facts.h"

// The rules of the gate: functions of facts that return findings. gate.cpp lists the modes in which
// each of them runs.
namespace revctl::commands {

// Rules about one list. All but CheckReadable and CheckPendingFolder require a readable list.

/// RV015, RV016: the list exists and can be read.
base::Result<Findings> CheckReadable(const ListFacts& facts);
/// RV029: pending files are in a folder, and only with `numbers: at-landing`.
base::Result<Findings> CheckPendingFolder(const ListFacts& facts);
/// RV016: the target's list can be read, and #include lines only include pending revisions.
base::Result<Findings> CheckTargetAndIncludes(const ListFacts& facts);
/// RV001 to RV014 of the merged list.
base::Result<Findings> CheckListRules(const ListFacts& facts);
/// The same for a commit that does not land yet: warnings about what landing will reject; RV029 and
/// RV030 for pending revisions that the commit adds.
base::Result<Findings> CheckListOfCommit(const ListFacts& facts);
/// RV005 alone, of the list as the change has it.
base::Result<Findings> CheckRenames(const ListFacts& facts);
/// RV017: the list merges as text, and gives pending revisions the numbers that their author sees.
base::Result<Findings> CheckTextMerge(const ListFacts& facts);
base::Result<Findings> CheckShifts(const ListFacts& facts);
/// RV023: the lineages of landed revisions stay.
base::Result<Findings> CheckLineages(const ListFacts& facts);
/// RV016: `oldest` of the config names a revision.
base::Result<Findings> CheckOldest(const ListFacts& facts);

/// RV029 and RV030 for lists with `numbers: at-landing`, or that switch to it. Compares the trees
/// before and after, regardless of how commits are shaped.
base::Result<Findings> CheckPendingFiles(const ListFacts& facts);
/// RV018: a release has no pending files.
base::Result<Findings> CheckPendingOnRelease(const ListFacts& facts);
/// RV018: a release's list must be a prefix of the target's list. RV019 and RV020: revisions that
/// are new on the release must have the target's goldens.
base::Result<Findings> CheckRelease(const ListFacts& facts);

/// RV019: goldens of landed revisions do not change, even if their folder moves.
base::Result<Findings> CheckLandedGoldens(const ListFacts& facts);
/// RV020: pending revisions have goldens.
base::Result<Findings> CheckPendingGoldens(const ListFacts& facts);
/// RV028: goldens of a pending revision are stale if it and a revision that landed after they were
/// recorded share a type that one of the two changes.
base::Result<Findings> CheckStaleGoldens(const ListFacts& facts);

/// RV001 for a revision that this change and the target have both added, with commits of their own.
base::Result<Findings> CheckSharedRevisions(const ListFacts& facts);
/// RV011 for a pending revision whose holder has no part in the change.
base::Result<Findings> CheckHolders(const ListFacts& facts);

/// RV024 for config keys of a list. Reports changes that would parse landed revisions differently,
/// check another file than the one that code includes, or give numbers and names again.
base::Result<Findings> CheckListPolicy(const ListFacts& facts);

// Rules about the whole change.

/// RV003 and RV024: the change keeps `.revctl.yaml`, and the target's can be read.
Findings CheckConfig(const ChangeFacts& change);
/// RV016 and RV019 for git attributes that make a checkout of a list, of `.revctl.yaml` or of
/// goldens differ from the committed bytes.
base::Result<Findings> CheckAttributes(const ChangeFacts& change,
                                       const std::vector<ListFacts>& lists);
/// RV029: a pending file that is in no list's folder. A merge can leave one if the target has moved
/// the list; neither a fold nor the compiler would see it.
base::Result<Findings> CheckStrayPending(const ChangeFacts& change,
                                         const std::vector<ListFacts>& lists);
/// RV021, RV022 and RV029 for how the sources use the lists. Needs no compiler. On a release, only
/// RV021 for new revisions: an error if only the target's code uses them. The other rules about
/// code are checked when the change lands on the target.
base::Result<Findings> CheckUse(const ChangeFacts& change, const std::vector<ListFacts>& lists);

struct PolicyChange {
  const config::Config& before;
  const config::Config& after;
  std::string file;
  /// Ledger id for the config `before`: empty if unreadable, nullopt if there is no ledger.
  std::optional<std::string> ledger;
};
/// RV024, and RV003 for a list that is removed from the config. `weakening` is the severity of a
/// change that removes a protection.
Findings CheckPolicy(const PolicyChange& change, findings::Severity weakening);

/// Returns the severity of a config change that removes a protection. It is an error, because the
/// next change would go unchecked. It is a warning if the git config of the checking repository has
/// `revctl.allowPolicyChange = true`, which only an administrator can set on a server.
base::Result<findings::Severity> WeakeningSeverity(const git::Repository& repository);
/// Appends to a fix how an administrator allows a config change that removes a protection.
std::string AllowPolicyChange(const std::string& mend);

}  // namespace revctl::commands
