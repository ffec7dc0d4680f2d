// A fixed game: a sample of the harness, and the content of the file in saves/.
#pragma once
#include "game.h"

namespace realm {

inline Game KnownGame() {
  Hero ann;
  ann.name = "Ann";
  ann.x = 3;
  ann.y = -4;
  ann.experience = 1500;
  ann.level = 2;
  ann.backpack = {{7, 1}};
  return {12, Terrain::Lava, {ann}, false};
}

}  // namespace realm
