#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/gate.h"
#include "revctl/gate/list_gate.h"

namespace revctl::commands {

// The parts of the gate. Each appends to the findings so far.

/// RV029: a pending file that is in no list's folder. A merge can leave one if the target has moved
/// the list; neither a fold nor the compiler would see it. `target` is the target's config.
base::Result<base::Done> CheckStrayPending(const GateRequest& request, const config::Config& ours,
                                           const std::optional<config::Config>& target,
                                           std::vector<findings::Finding>& out);

/// RV018: a release's list must be a prefix of the target's list. RV019 and RV020: revisions that
/// are new on the release must have the target's goldens.
base::Result<base::Done> CheckRelease(ListGate& gate);

/// RV019: goldens of landed revisions do not change, even if their folder moves.
base::Result<base::Done> CheckLandedGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// RV020: pending revisions have goldens. Runs CheckLandedGoldens (RV019) first.
base::Result<base::Done> CheckGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// RV028: goldens of a pending revision are stale if it and a revision that landed after they were
/// recorded share a type that one of the two changes.
base::Result<base::Done> CheckStaleGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// RV001 for a revision that this change and the target have both added, with commits of their own.
/// RV011 for a pending revision whose holder has no part in the change. `first`: index of the
/// list's first finding in `out`; findings that follow from such an RV001 are removed.
base::Result<base::Done> CheckSharedRevisions(const ListGate& gate, std::size_t first,
                                              std::vector<findings::Finding>& out);

/// A list whose names are searched for in code.
struct ListInCode {
  const ListGate* gate = nullptr;
  std::string path;    ///< of the list's file in the searched tree
  std::string option;  ///< ` --list NAME` for commands in fixes, if there are several lists
};

/// RV021, RV022 and RV029 for how the sources use the lists. Needs no compiler.
base::Result<base::Done> CheckUse(const GateRequest& request, const std::vector<ListInCode>& lists,
                                  std::vector<findings::Finding>& out);

base::Result<std::vector<findings::Finding>> UnusedRevisions(const GateRequest& request,
                                                             const std::vector<ListInCode>& lists);

/// RV021 for revisions that are new on a release: an error if only the target's code uses them. The
/// other rules about code are checked when the change lands on the target.
base::Result<base::Done> CheckReleaseUse(const GateRequest& request,
                                         const std::vector<ListInCode>& lists,
                                         std::vector<findings::Finding>& out);

/// Removes findings that the target's config allows. Adds RV025 for expired allowances and, if all
/// rules were checked (`complete`), for unused ones.
void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     std::vector<findings::Finding>& found);

struct CheckedList {
  std::string path, golden;  ///< from the repository's root; `golden` may be empty
};
/// RV016 and RV019 for git attributes that make a checkout of a list, of `.revctl.yaml` or of
/// goldens differ from the committed bytes.
base::Result<base::Done> CheckAttributes(const GateRequest& request,
                                         const std::vector<CheckedList>& lists,
                                         std::vector<findings::Finding>& out);

/// Returns the severity of a config change that removes a protection. It is an error, because the
/// next change would go unchecked. It is a warning if the git config of the checking repository has
/// `revctl.allowPolicyChange = true`, which only an administrator can set on a server.
base::Result<findings::Severity> SeverityOfEnds(const git::Repository& repository);
/// Appends to a fix how an administrator allows a config change that removes a protection.
std::string AllowPolicyChange(const std::string& mend);

struct PolicyChange {
  const config::Config& before;
  const config::Config& after;
  std::string file;
  /// Ledger id for the config `before`: empty if unreadable, nullopt if there is no ledger.
  std::optional<std::string> ledger;
};
/// RV024, and RV003 for a list that is removed from the config. `ends` is the severity of a change
/// that removes a protection.
void CheckPolicy(const PolicyChange& change, findings::Severity ends,
                 std::vector<findings::Finding>& out);

struct ListPolicyChange {
  const list::ListConfig& before;  ///< at the merge base
  const list::ListConfig& landed;  ///< on the target
  const list::ListConfig& after;
  std::string file;
  std::optional<std::int64_t> mark;  ///< the ledger's high-water mark
};
/// RV024 for config keys of a list. Reports changes that would parse landed revisions differently,
/// check another file than the one that code includes, or give numbers and names again.
base::Result<base::Done> CheckListPolicy(const ListGate& gate, const ListPolicyChange& change,
                                         findings::Severity ends,
                                         std::vector<findings::Finding>& out);

}  // namespace revctl::commands
