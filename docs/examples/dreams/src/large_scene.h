// A scene of a few megabytes with generated values, like a scene that a player has built over
// weeks.
#pragma once
#include <cstdint>

#include <revctl/fill.h>

#include "scene.h"

namespace dreams {

/// Returns a scene with different values in each thing, and as many hits as things. 40,000 things
/// take 3.8 MB on disk.
inline Scene LargeScene(std::uint32_t things) {
  Scene scene;
  for (std::uint32_t i = 0; i < things; ++i) {
    scene.things.push_back(revctl::Filled<Thing>(SR_NO_COST, i % 97));
    scene.hits.push_back({i, 0.5f, {0, 0, 127}, 1});
  }
  return scene;
}

}  // namespace dreams
