#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/git/repository.h"
#include "revctl/server/policy.h"

namespace revctl::commands {

/// Returns an error finding about a pushed ref. The finding has no file.
findings::Finding Refusal(findings::RuleId rule, const std::string& message,
                          const std::string& fix);

/// Checks that a push only extends the ledger: it must not delete or rewrite the ref, each new
/// commit must be a valid successor of the previous one according to ledger::ValidateEvent(), and
/// the push as a whole must not raise a high-water mark too far. Appends findings to `out`.
/// `sharing` contains the projects that use this ledger. `old_tip` is all zeros if the push creates
/// the ref, and `new_tip` if the push deletes it.
base::Result<base::Done> CheckLedgerUpdate(const git::Repository& repository,
                                           const std::vector<ServerPolicy>& sharing,
                                           const std::string& ref, const git::Oid& old_tip,
                                           const git::Oid& new_tip,
                                           std::vector<findings::Finding>& out);

/// Returns the projects that use the ledger moved by `update`, or nullopt if the ref is not a
/// ledger. A ref with the contents of a ledger is a ledger even if none of `policies` names it. In
/// that case, also reads the policies on all branches to find the projects.
base::Result<std::optional<std::vector<ServerPolicy>>> SharingLedger(
    const git::Repository& repository, const std::vector<ServerPolicy>& policies,
    const Update& update);

}  // namespace revctl::commands
