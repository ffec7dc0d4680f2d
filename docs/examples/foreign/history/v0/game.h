// The game at version 0.
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
  std::uint16_t mana = 10;

  SYNCABLE {
    SYNC(name);
    SYNC(x);
    SYNC(y);
    SYNC(experience);
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
