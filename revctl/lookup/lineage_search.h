#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The list that a file was written with.
struct LineageFound {
  std::string name;  ///< the revision of that lineage
  std::int64_t number = 0;
  list::RevisionList list;
  std::uint64_t root = 0;  ///< where its lineages begin
  std::string where;       ///< for a person
};

/// Searches the work tree's list first, then each of its versions that a branch, a tag or a stash
/// of this clone leads to (`git log --all`), under every path that it has had. nullopt: none has
/// it.
base::Result<std::optional<LineageFound>> FindLineage(const Workspace& workspace,
                                                      const list::ListConfig& config,
                                                      const std::string& wanted);

/// "3f2c1d0a9b by Ann <ann@studio.example>, 2026-11-20 10:52".
std::string Described(const git::CommitInfo& commit);

}  // namespace revctl::commands
