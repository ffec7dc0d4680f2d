// Builds of this game, and which save games each reads and writes. Players who have different
// builds exchange levels.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "master_version_list.revctl.h"
#include "save_game.h"

namespace actors {

struct Build {
  int number;
  SaveGameRevision saves;  ///< the newest revision that it reads, and what it writes
};

/// Only builds with which the revision changed; oldest first.
inline constexpr Build kBuilds[] = {
    {1007, SR_FIRST},    // actors, knights, bats, hounds
    {1130, SR_MOUNTS},   // knights ride
    {1244, SR_CHESTS},   // chests, with what is inside
    {1301, SR_NO_BATS},  // bats are gone, hounds are called wolves
};
static_assert(std::ranges::is_sorted(kBuilds, {}, &Build::number));
static_assert(std::ranges::is_sorted(kBuilds, {}, &Build::saves));
static_assert(std::rbegin(kBuilds)->saves == SR_LATEST,
              "which build is the first with the new revision?");

/// What build `number` reads; null where none so old was published.
constexpr const Build* FindBuild(int number) {
  const Build* found = nullptr;
  for (const Build& build : kBuilds) {
    if (build.number <= number) found = &build;
  }
  return found;
}

/// A file that build `number` loads.
inline revctl::Status SaveForBuild(int number, const Level& level, std::vector<std::byte>& file) {
  const Build* const build = FindBuild(number);
  if (build == nullptr)
    return {revctl::Status::Kind::Refused, "there was no build " + std::to_string(number)};
  return revctl::Save(build->saves, level, file);
}

}  // namespace actors
