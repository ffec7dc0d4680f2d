#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/git/repository.h"
#include "revctl/server/policy.h"

namespace revctl::commands {

/// An error about what was pushed, which stands in no file.
findings::Finding Refusal(const std::string& rule, const std::string& message,
                          const std::string& fix);

/// The ledger only grows, on a server: no deletion, no rewriting, no number given twice, and each
/// commit does what its event says, whatever client wrote it. `sharing`: the projects whose ledger
/// it is. Ids of zeros: the ref did not exist, or would go.
base::Result<base::Done> CheckLedgerUpdate(const git::Repository& repository,
                                           const std::vector<ServerPolicy>& sharing,
                                           const std::string& ref, const git::Oid& old_tip,
                                           const git::Oid& new_tip,
                                           std::vector<findings::Finding>& out);

/// The projects whose ledger `update` moves; nullopt: it moves none. A ref that holds a ledger is
/// one even where none of `policies` names it: then the policies of all branches are asked.
base::Result<std::optional<std::vector<ServerPolicy>>> SharingLedger(
    const git::Repository& repository, const std::vector<ServerPolicy>& policies,
    const Update& update);

}  // namespace revctl::commands
