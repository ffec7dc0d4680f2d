#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/gate.h"
#include "revctl/gate/list_gate.h"

namespace revctl::commands {

// Parts of the gate, each a file of its own. They add to what was found so far.

/// RV029: a pending file beside no list, as a merge leaves it whose target has moved the list.
/// Neither a fold nor the compiler would see it. `target`: the policy there.
base::Result<base::Done> CheckStrayPending(const GateRequest& request, const config::Config& ours,
                                           const std::optional<config::Config>& target,
                                           std::vector<findings::Finding>& out);

/// RV018: a release's list must be a prefix of the target's. RV019, RV020: what is new there has
/// the target's goldens.
base::Result<base::Done> CheckRelease(ListGate& gate);

/// RV019: goldens of landed revisions stay, wherever their folder is moved.
base::Result<base::Done> CheckLandedGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// RV020: pending revisions have goldens. Calls CheckLandedGoldens (RV019) first.
base::Result<base::Done> CheckGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// RV028: a pending revision's goldens, and what landed since they were recorded, share no type
/// that either changes.
base::Result<base::Done> CheckStaleGoldens(ListGate& gate, std::vector<findings::Finding>& out);

/// A list whose names are looked for in code.
struct ListInCode {
  const ListGate* gate = nullptr;
  std::string path;    ///< of its file in the tree that is searched
  std::string option;  ///< ` --list NAME` for printed commands, if the policy has several lists
};

/// RV021, RV022 and RV029 for how the sources use the lists. No compiler is needed.
base::Result<base::Done> CheckUse(const GateRequest& request, const std::vector<ListInCode>& lists,
                                  std::vector<findings::Finding>& out);

/// RV021 alone.
base::Result<std::vector<findings::Finding>> UnusedRevisions(const GateRequest& request,
                                                             const std::vector<ListInCode>& lists);

/// RV021 for revisions that are new on a release: an error if only the target's code uses them. The
/// other rules about code are checked on the target.
base::Result<base::Done> CheckReleaseUse(const GateRequest& request,
                                         const std::vector<ListInCode>& lists,
                                         std::vector<findings::Finding>& out);

/// Takes out what the target's policy allows; RV025 for allowances that have run out or, where
/// every rule was judged
/// (`complete`), allow nothing.
void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     std::vector<findings::Finding>& found);

/// A list that the gate has checked.
struct CheckedList {
  std::string path, golden;  ///< from the repository's root; no folder of goldens: empty
};
/// RV016 and RV019 for attributes that would give a checkout other bytes of a list or of
/// `.revctl.yaml`, or of goldens, than the commit has.
base::Result<base::Done> CheckAttributes(const GateRequest& request,
                                         const std::vector<CheckedList>& lists,
                                         std::vector<findings::Finding>& out);

/// How a change of policy is judged that ends protection: an error, since the next change would be
/// judged by nothing. A warning where git's configuration of the judging repository says
/// `revctl.allowPolicyChange = true`: on a server that is its administrator's word.
base::Result<findings::Severity> SeverityOfEnds(const git::Repository& repository);
/// How the mend of such a finding goes on.
std::string AllowPolicyChange(const std::string& mend);

/// A policy, and what it becomes in the change that is judged.
struct PolicyChange {
  const config::Config& before;
  const config::Config& after;
  std::string file;  ///< for findings
  /// The id that the ledger of `before` has, empty where it cannot be read; nullopt: there is none.
  std::optional<std::string> ledger;
};
/// RV024, and RV003 for a list that is taken out of the configuration. `ends`: of what ends
/// protection.
void CheckPolicy(const PolicyChange& change, findings::Severity ends,
                 std::vector<findings::Finding>& out);

/// What the policy says of one list, and what that becomes.
struct ListPolicyChange {
  const list::ListConfig& before;  ///< where the change began
  const list::ListConfig& landed;  ///< as the target has it
  const list::ListConfig& after;
  std::string file;                  ///< for findings
  std::optional<std::int64_t> mark;  ///< the highest number that the ledger has given
};
/// RV024 for keys of a list after whose change landed revisions are read otherwise, are judged in
/// another file than the one that code includes, or get numbers and names that were given.
base::Result<base::Done> CheckListPolicy(const ListGate& gate, const ListPolicyChange& change,
                                         findings::Severity ends,
                                         std::vector<findings::Finding>& out);

}  // namespace revctl::commands
