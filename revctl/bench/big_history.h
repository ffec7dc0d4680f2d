#pragma once
#include <string>

#include "tests/support/sandbox.h"

namespace revctl::bench {

/// The text of a list with `revisions` entries, and `more` behind them, a line each.
std::string BigList(int revisions, const std::string& more = "");

/// When the list of a big history gets its entries: all with the last commit, or one after another,
/// each with a commit of its own.
enum class Grows { AtLast, AlongTheWay };

/// A repository `directory` of `commits` commits (git fast-import) whose list has `revisions`
/// entries at its tip.
void MakeBigHistory(const testing::Sandbox& sandbox, const std::string& directory, int commits,
                    int revisions, Grows grows = Grows::AtLast);

/// A ledger there, alone as it is without a remote, that has given every number up to `revisions`,
/// the last to SR_NEW: an event each, all of them open.
void MakeBigLedger(const testing::Sandbox& sandbox, const std::string& directory, int revisions);

}  // namespace revctl::bench
