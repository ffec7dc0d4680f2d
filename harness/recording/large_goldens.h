#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Records `payload` as a large golden of revision `index`. Adds a trouble if it does not load, or
/// exceeds a limit. The payload is freed as soon as possible, because it may be 64 MiB.
void AddLarge(const RootType& root, const History& history, std::size_t index,
              const std::string& name, std::vector<std::byte> payload, Recording& recording);

/// Adds troubles if the files of the large goldens, those of this record included, exceed the
/// budget of their type or of the store.
void CheckLargeBudgets(const Registry& registry, const History& history, Recording& recording);

/// Adds the upgrades of older large goldens that revision `index` makes.
void AddLargeUpgrades(const RootType& root, const History& history, std::size_t index,
                      const Renames& renames, golden::RevisionRecord& record);

}  // namespace revctl::harness
