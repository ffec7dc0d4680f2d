// A plug-in of Pong, with a list of revisions of its own. Its part stands in the same file, behind
// Pong's.
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
