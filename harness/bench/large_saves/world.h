// A 16 MiB save: memory, a long list of records, and bulk numbers.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "world_versions.revctl.h"

struct Unit {
  std::int32_t hp = 0;
  std::uint16_t x = 0, y = 0;
  std::uint8_t kind = 0;
  std::string name;
#ifdef NEXT_VERSION
  std::uint16_t armour = 0;
#endif
};
SERIALIZE_TYPE(Unit) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, name);
#ifdef NEXT_VERSION
  ADD(SR_ARMOUR, armour);
#endif
}
SERIALIZE_END

struct World {
  std::array<std::uint8_t, 2U << 20> ram{};
  std::vector<Unit> units;
  std::vector<float> terrain;
};
SERIALIZE_TYPE(World) {
  ADD(SR_INITIAL, ram);
  ADD(SR_INITIAL, units);
  ADD(SR_INITIAL, terrain);
}
SERIALIZE_END
