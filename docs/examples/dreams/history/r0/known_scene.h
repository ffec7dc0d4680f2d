// The scene that people know, as it was made at revision 0.
#pragma once
#include "scene.h"

namespace dreams {

inline Scene KnownScene() {
  Thing lamp;
  lamp.name = "lamp";
  lamp.kind = Kind::Light;
  lamp.at = {0, 2.5f, -1};
  lamp.hints = 0;
  lamp.cost = 1.5f;
  Thing ball;
  ball.name = "ball";
  ball.hints = 8 | kMovableHint | kCollidableHint;
  return {"attic", {lamp, ball}};
}

}  // namespace dreams
