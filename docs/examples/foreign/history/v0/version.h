// Versions of saved games. To add one: put it before CURRENT, and set CURRENT to it.
#pragma once
#include <cstdint>

namespace realm {

enum class Version : std::int32_t {
  FIRST,

  CURRENT = FIRST
};

}  // namespace realm
