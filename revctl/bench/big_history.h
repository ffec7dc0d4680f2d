#pragma once
#include <string>

#include "tests/support/sandbox.h"

namespace revctl::bench {

/// Returns the text of a list with `revisions` entries, one per line, followed by `more`.
std::string BigList(int revisions, const std::string& more = "");

/// How the list of a big history grows: all entries are added in the last commit, or gradually in
/// separate commits.
enum class Grows { AtLast, AlongTheWay };

/// Creates a repository in `directory` with `commits` commits (with git fast-import). At its tip,
/// the list has `revisions` entries.
void MakeBigHistory(const testing::Sandbox& sandbox, const std::string& directory, int commits,
                    int revisions, Grows grows = Grows::AtLast);

/// Adds a ledger to the repository in `directory`, which has no remote. The ledger has a separate
/// event for every number up to `revisions`, and all reservations are open. The last one is for
/// SR_NEW.
void MakeBigLedger(const testing::Sandbox& sandbox, const std::string& directory, int revisions);

}  // namespace revctl::bench
