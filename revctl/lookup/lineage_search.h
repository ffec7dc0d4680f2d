#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The version of the list that was used to write a save file.
struct LineageFound {
  std::string name;  ///< revision with the requested lineage
  std::int64_t number = 0;
  list::RevisionList list;
  std::uint64_t root = 0;  ///< the `lineage_root` of that list
  std::string where;       ///< the commit or other place, as text for the user
};

/// Searches the work tree's list, then every version of the list on this clone's branches, tags and
/// stashes (`git log --all`), under all paths that the list has ever had. Returns nullopt if no
/// version has the lineage.
base::Result<std::optional<LineageFound>> FindLineage(const Workspace& workspace,
                                                      const list::ListConfig& config,
                                                      const std::string& wanted);

/// Returns the commit as text for a message, such as "3f2c1d0a9b by Ann <ann@studio.example>,
/// 2026-11-20 10:52".
std::string Described(const git::CommitInfo& commit);

}  // namespace revctl::commands
