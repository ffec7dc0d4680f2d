#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Records `payload` as a large golden of revision `index`. If the payload does not load or exceeds
/// a limit, adds an error to `troubles`. Frees the payload early, because it may take 64 MiB.
void AddLarge(const RootType& root, const History& history, std::size_t index,
              const std::string& name, std::vector<std::byte> payload, Recording& recording);

/// Adds an error to `troubles` if the files of all large goldens, including those of this record,
/// exceed the budget of their type or of the store.
void CheckLargeBudgets(const Registry& registry, const History& history, Recording& recording);

/// Adds the changes that revision `index` makes to the upgraded values of older large goldens.
void AddLargeUpgrades(const RootType& root, const History& history, std::size_t index,
                      const Renames& renames, golden::RevisionRecord& record);

}  // namespace revctl::harness
