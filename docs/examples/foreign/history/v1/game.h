// The game at version 1.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sync.h"

namespace realm {

enum class Terrain : std::uint8_t { Grass, Swamp, Lava };

struct Hero {
  std::string name;
  std::int16_t x = 0, y = 0;
  std::uint32_t experience = 0;
  std::uint8_t level = 1;
  std::uint16_t mana = 10;

  static std::uint8_t LevelFor(std::uint32_t points) {
    return static_cast<std::uint8_t>(points < 1000 ? 1 : points < 2000 ? 2 : 3);
  }

  SYNCABLE {
    SYNC(name);
    SYNC(x);
    SYNC(y);
    SYNC(experience);
    // clang-format does not know that SYNC_SINCE is an `if`.
    // clang-format off
    SYNC_SINCE(HERO_LEVELS, level);
    else if (!s.saving) level = LevelFor(experience);
    // clang-format on
    SYNC(mana);
  }
};

struct Game {
  std::uint32_t day = 1;
  Terrain terrain = Terrain::Grass;
  std::vector<Hero> heroes;
  bool cheated = false;

  SYNCABLE {
    SYNC(day);
    SYNC(terrain);
    SYNC(heroes);
    SYNC(cheated);
    SYNC_MARK();
  }
};

}  // namespace realm
