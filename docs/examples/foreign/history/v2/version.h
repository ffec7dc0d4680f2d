// Versions of saved games. To add one: put it before CURRENT, and let CURRENT be it.
#pragma once
#include <cstdint>

namespace realm {

enum class Version : std::int32_t {
  FIRST,
  HERO_LEVELS,  // heroes have levels of their own; they were worked out from experience
  ARTIFACTS,    // heroes carry things

  CURRENT = ARTIFACTS
};

}  // namespace realm
