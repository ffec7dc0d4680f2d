// A dream at revision 3.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "master_version_list.h"

namespace dreams {

using Float3 = std::array<float, 3>;

enum class Kind : std::uint8_t { Sculpture, Light, Puppet };

inline constexpr std::uint32_t kMovableHint = 1, kCollidableHint = 2;  // bits of Thing::hints

struct Thing {
  std::string name;
  Kind kind = Kind::Sculpture;
  Float3 at = {};
  std::uint32_t hints = kCollidableHint;
  bool glows = false;
  float cost = 0;  // of the thermometer
};

SERIALIZE_TYPE(Thing) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, at);
  ADD(SR_INITIAL, hints);
  ADD(SR_GLOW, glows);
  ADD(SR_INITIAL, cost);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

struct Scene {
  std::string title;
  std::vector<Thing> things;
};

SERIALIZE_TYPE(Scene) {
  ADD(SR_INITIAL, title);
  ADD(SR_INITIAL, things);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

}  // namespace dreams
