// A plug-in of Pong, with a list of revisions of its own. Its part stands in the same file, behind
// Pong's.
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
