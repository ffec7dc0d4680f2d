#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A list that has a wanted lineage: the one that a file was written with.
struct LineageFound {
  std::string name;  ///< the revision of that lineage
  std::int64_t number = 0;
  list::RevisionList list;
  std::uint64_t root = 0;  ///< where its lineages begin
  std::string where;       ///< for a person
};

/// Looks at the work tree's list; then at every version of it that this clone has, under each path
/// that it ever had: branches, tags, stashes, what reflogs hold, and what merges have thrown away;
/// then at what the ledger says that a list may have been that was never committed: a
/// version with the numbers that one person reserved. nullopt: nothing has it.
base::Result<std::optional<LineageFound>> FindLineage(const Workspace& workspace,
                                                      const list::ListConfig& config,
                                                      const ledger::Ledger& ledger,
                                                      const std::string& wanted);

/// "3f2c1d0a9b by Ann <ann@studio.example>, 2026-11-20 10:52".
std::string Described(const git::CommitInfo& commit);

}  // namespace revctl::commands
