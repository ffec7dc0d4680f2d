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

/// On a server the ledger only grows: the push must not delete or rewrite it, each new commit must
/// follow from the one before it by the rules of ledger::Contradiction(), and the whole push must
/// not raise a mark too far. Appends what is wrong to `out`. `sharing`: the projects that use this
/// ledger. An id of zeros: the ref does not exist before or after the push.
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
