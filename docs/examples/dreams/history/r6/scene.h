// A dream at revision 6.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "master_version_list.h"

namespace dreams {

using Float3 = std::array<float, 3>;

struct RayHitSeq {
  std::uint32_t thing = 0;
  float distance = 0;
  std::array<std::int8_t, 3> normal = {0, 0, 127};
  std::uint16_t sequence = 0;
};

SERIALIZE_TYPE(RayHitSeq) {
  ADD(SR_RAY_HIT_SEQ, thing);
  ADD(SR_RAY_HIT_SEQ, distance);
  ADD(SR_RAY_HIT_SEQ, normal);
  ADD(SR_RAY_HIT_SEQ, sequence);
}
SERIALIZE_END

enum class Kind : std::uint8_t { Sculpture, Light, Puppet };

inline constexpr std::uint32_t kMovableHint = 1, kCollidableHint = 2;  // bits of Thing::hints

struct Thing {
  std::string name;
  Kind kind = Kind::Sculpture;
  Float3 at = {};
  std::uint32_t hints = 0;
  bool movable = false, collidable = true;
  bool glows = false;
  bool castsShadow = true;
  Float3 velocity = {};
  float cost = 0;  // of the thermometer

  std::uint32_t OldHints() const {
    const std::uint32_t others = hints & ~(kMovableHint | kCollidableHint);
    return others | (movable ? kMovableHint : 0) | (collidable ? kCollidableHint : 0);
  }
};

SERIALIZE_TYPE(Thing) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, at);
  REM(SR_INITIAL, SR_MOVABLE, std::uint32_t, hints, d.OldHints());
  ADD(SR_MOVABLE, hints);
  ADD(SR_MOVABLE, movable);
  ADD(SR_MOVABLE, collidable);
  ADD(SR_GLOW, glows);
  ADD(SR_SHADOWS, castsShadow);
  if (r.IsReading() && r.revision < SR_MOVABLE) {
    d.movable = (hints & kMovableHint) != 0;
    d.collidable = (hints & kCollidableHint) != 0;
    d.hints = hints & ~(kMovableHint | kCollidableHint);
  }
  ADD(SR_MOVABLE, velocity);
  ADD(SR_INITIAL, cost);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

struct Scene {
  std::string title;
  std::vector<Thing> things;
  std::vector<RayHitSeq> hits;
};

SERIALIZE_TYPE(Scene) {
  ADD(SR_INITIAL, title);
  ADD(SR_INITIAL, things);
  ADD(SR_RAY_HIT_SEQ, hits);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

}  // namespace dreams
