// Builds of this game, and which save games each reads and writes. Players send each other levels without the same build.
#pragma once
#include <algorithm>
#include <iterator>
#include <unordered_set>
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
static_assert(std::ranges::is_sorted(kBuilds, {}, &Build::number) && std::ranges::is_sorted(kBuilds, {}, &Build::saves));
static_assert(std::rbegin(kBuilds)->saves == SR_LATEST, "which build is the first with the new revision?");

/// What build `number` reads; null where none so old was published.
constexpr const Build* FindBuild(int number) {
  const Build* found = nullptr;
  for (const Build& build : kBuilds) {
    if (build.number <= number) found = &build;
  }
  return found;
}

/// Takes the actors away that a revision has no class for, and pointers to them.
inline void LeaveBehind(Level& level, SaveGameRevision revision) {
  std::unordered_set<const Actor*> gone;
  for (const auto& actor : level.actors) {
    if (revision < SR_CHESTS && dynamic_cast<const Chest*>(actor.get()) != nullptr) gone.insert(actor.get());
  }
  for (const auto& actor : level.actors) {
    if (gone.contains(actor->target)) actor->target = nullptr;
    std::replace_if(actor->allies.begin(), actor->allies.end(), [&](Actor* ally) { return gone.contains(ally); }, nullptr);
    if (auto* const knight = dynamic_cast<Knight*>(actor.get()); knight != nullptr && gone.contains(knight->mount)) {
      knight->mount = nullptr;
    }
  }
  std::erase_if(level.actors, [&](const auto& actor) { return gone.contains(actor.get()); });
}

/// A file that build `number` loads. Saved once in passing, since a level full of pointers has no other copy.
inline revctl::Status SaveForBuild(int number, const Level& level, std::vector<std::byte>& file) {
  const Build* const build = FindBuild(number);
  if (build == nullptr) return {revctl::Status::Kind::Refused, "there was no build " + std::to_string(number)};
  Level theirs;
  revctl::Status status = revctl::Save(SR_LATEST, level, file);
  if (status) status = revctl::Load(file, theirs);
  if (!status) return status;
  LeaveBehind(theirs, build->saves);
  return revctl::Save(build->saves, theirs, file);
}

}  // namespace actors
