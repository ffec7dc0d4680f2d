// Versions of saved games. To add one: put it before CURRENT, and set CURRENT to it.
#pragma once
#include <cstdint>

namespace realm {

enum class Version : std::int32_t {
  FIRST,
  HERO_LEVELS,  // levels are saved; older files compute them from experience
  ARTIFACTS,    // heroes carry things
  NO_MANA,      // spells cost nothing any more

  CURRENT = NO_MANA
};

}  // namespace realm
