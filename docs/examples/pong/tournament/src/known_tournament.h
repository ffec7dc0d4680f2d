// A fixed tournament: a sample of the harness, and the content of saves/today.save.
#pragma once
#include "tournament.h"

namespace tournament {

inline Tournament KnownTournament() { return {{"Ann", "Ben", "Cleo"}, 5000}; }

}  // namespace tournament
