// A small fixed scene: a sample of the harness, and the content of the file in saves/.
#pragma once
#include "scene.h"

namespace dreams {

inline Scene KnownScene() {
  Thing lamp;
  lamp.name = "lamp";
  lamp.kind = Kind::Light;
  lamp.at = {0, 2.5f, -1};
  lamp.collidable = false;
  lamp.look = kGlows;
  Thing ball;
  ball.name = "ball";
  ball.hints = 8;
  ball.movable = true;
  ball.velocity = {0.5f, 0, 0};
  return {"attic", {lamp, ball}, {{1, 3.25f, {0, -127, 0}, 7}}};
}

}  // namespace dreams
