// The first saved type of this game. Replace it with your own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "master_version_list.h"

struct Player {
  std::string name;
  std::int32_t points = 0;
};

SERIALIZE_TYPE(Player) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, points);
}
SERIALIZE_END

struct Score {
  std::int32_t p1Score = 0, p2Score = 0;
  std::vector<Player> players;
};

SERIALIZE_TYPE(Score) {
  ADD(SR_INITIAL, p1Score);
  ADD(SR_INITIAL, p2Score);
  ADD(SR_INITIAL, players);
}
SERIALIZE_END
