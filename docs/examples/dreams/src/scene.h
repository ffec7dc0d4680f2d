// A dream: the things in a scene, and the brush hits that made them.
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
  std::uint32_t thing = 0;  // index into the scene's things
  float distance = 0;       // meters from the imp
  std::array<std::int8_t, 3> normal = {0, 0, 127};
  std::uint16_t sequence = 0;  // all strokes of one brush movement have the same number
};

SERIALIZE_TYPE(RayHitSeq) {
  ADD(SR_RAY_HIT_SEQ, thing);
  ADD(SR_RAY_HIT_SEQ, distance);
  ADD(SR_RAY_HIT_SEQ, normal);
  ADD(SR_RAY_HIT_SEQ, sequence);
}
SERIALIZE_END

enum class Kind : std::uint8_t { Sculpture, Light, Puppet };

/// Appearance flags of a thing, saved as `look` since SR_LOOK; older files have two bools.
enum Look : std::uint8_t { kGlows = 1, kCastsShadow = 2 };

/// Before SR_MOVABLE, these were bits of `hints`.
inline constexpr std::uint32_t kMovableHint = 1, kCollidableHint = 2;

struct Thing {
  std::string name;
  Kind kind = Kind::Sculpture;
  Float3 at = {};
  std::uint32_t hints = 0;  // for the editor
  bool movable = false, collidable = true;
  std::uint8_t look = kCastsShadow;  // bits of Look
  Float3 velocity = {};
  float cost = 0;  // cost on the thermometer; a cache, saved until SR_NO_COST

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
  // When reading, the defaults are for files that are older than the field. When writing for an
  // older build, they are the current value.
  REM(SR_GLOW, SR_LOOK, bool, glows, r.IsWriting() && (d.look & kGlows) != 0);
  REM(SR_SHADOWS, SR_LOOK, bool, castsShadow, r.IsReading() || (d.look & kCastsShadow) != 0);
  ADD(SR_LOOK, look);
  if (r.IsReading() && r.revision < SR_MOVABLE) {
    d.movable = (hints & kMovableHint) != 0;
    d.collidable = (hints & kCollidableHint) != 0;
    d.hints = hints & ~(kMovableHint | kCollidableHint);
  }
  if (r.IsReading() && r.revision < SR_LOOK) {
    d.look = static_cast<std::uint8_t>((glows ? kGlows : 0) | (castsShadow ? kCastsShadow : 0));
  }
  ADD_CONDITIONAL(SR_MOVABLE, r.revision < SR_RESTING || d.movable, velocity);
  REM(SR_INITIAL, SR_NO_COST, cost);
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
