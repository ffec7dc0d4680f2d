// A plug-in of Pong with its own list of revisions. In a file, its data follows Pong's.
#pragma once
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "tournament_list.h"

namespace tournament {

struct Tournament {
  std::vector<std::string> names;
};

SERIALIZE_TYPE(Tournament) { ADD(TR_INITIAL, names); }
SERIALIZE_END

}  // namespace tournament
