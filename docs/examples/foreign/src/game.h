// A strategy game that grew over years. Nothing in this file mentions revctl.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sync.h"

namespace realm {

enum class Terrain : std::uint8_t { Grass, Swamp, Lava };

struct Artifact {
  std::uint16_t kind = 0;
  std::uint8_t charges = 0;

  SYNCABLE {
    SYNC(kind);
    SYNC(charges);
  }
};

struct Hero {
  std::string name;
  std::int16_t x = 0, y = 0;
  std::uint32_t experience = 0;
  std::uint8_t level = 1;
  std::vector<Artifact> backpack;

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
    if (s.version < Version::NO_MANA) {
      std::uint16_t mana = 10;
      SYNC(mana);
    }
    SYNC_SINCE(ARTIFACTS, backpack);
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
