#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/git/repository.h"
#include "revctl/server/policy.h"

namespace revctl::commands {

/// Returns an error finding about a pushed ref, without a file.
findings::Finding Refusal(findings::RuleId rule, const std::string& message,
                          const std::string& fix);

/// Checks that a push only extends the ledger. It must not delete or rewrite it, each new commit
/// must follow from the previous one by the rules of ledger::ValidateEvent(), and the push as a
/// whole must not raise a high-water mark too far. Appends findings to `out`. `sharing` lists the
/// projects that use this ledger. An all-zero id means that the ref does not exist before or after
/// the push.
base::Result<base::Done> CheckLedgerUpdate(const git::Repository& repository,
                                           const std::vector<ServerPolicy>& sharing,
                                           const std::string& ref, const git::Oid& old_tip,
                                           const git::Oid& new_tip,
                                           std::vector<findings::Finding>& out);

/// Returns the projects whose ledger `update` moves, or nullopt if the ref is not a ledger. A ref
/// that contains a ledger counts even if none of `policies` names it; then the policies of all
/// branches are consulted.
base::Result<std::optional<std::vector<ServerPolicy>>> SharingLedger(
    const git::Repository& repository, const std::vector<ServerPolicy>& policies,
    const Update& update);

}  // namespace revctl::commands
