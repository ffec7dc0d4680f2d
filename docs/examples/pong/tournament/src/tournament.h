// A plug-in of Pong with its own list of revisions. In a file, its data follows Pong's.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "tournament_list.h"

namespace tournament {

struct Tournament {
  std::vector<std::string> names;
  std::uint32_t prize = 0;  // in cents
};

SERIALIZE_TYPE(Tournament) {
  ADD(TR_INITIAL, names);
  ADD(TR_PRIZE, prize);
}
SERIALIZE_END

}  // namespace tournament
