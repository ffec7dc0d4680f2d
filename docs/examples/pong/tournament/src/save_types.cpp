// Types for the plug-in's harness: its part of the files, at its own revisions. The game's harness
// checks the rest.
#include <revctl/harness.h>

#include "known_tournament.h"
#include "tournament.h"

namespace tournament {

HARNESS_TYPE(Tournament, TR_INITIAL);
HARNESS_SAMPLE(Tournament, "known") { d = KnownTournament(); }

}  // namespace tournament
