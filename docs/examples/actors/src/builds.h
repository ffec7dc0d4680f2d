// The builds of this game, and the revisions of save games that they read and write. Players with
// different builds exchange levels.
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
  SaveGameRevision saves;  ///< the newest revision that it reads, and the one it writes
};

/// The builds that changed the save format, oldest first.
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

/// Returns the newest entry that is not newer than build `number`, or null if there is none.
constexpr const Build* FindBuild(int number) {
  const Build* found = nullptr;
  for (const Build& build : kBuilds) {
    if (build.number <= number) found = &build;
  }
  return found;
}

/// Saves a level so that build `number` can load it. Fails if no such build existed.
inline revctl::Status SaveForBuild(int number, const Level& level, std::vector<std::byte>& file) {
  const Build* const build = FindBuild(number);
  if (build == nullptr)
    return {revctl::Status::Kind::Refused, "there was no build " + std::to_string(number)};
  return revctl::Save(build->saves, level, file);
}

}  // namespace actors
