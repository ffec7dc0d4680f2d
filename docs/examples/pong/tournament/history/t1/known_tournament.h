// A fixed tournament: a sample of the harness, and the content of saves/t1.save.
#pragma once
#include "tournament.h"

namespace tournament {

inline Tournament KnownTournament() { return {{"Ann", "Ben"}}; }

}  // namespace tournament
