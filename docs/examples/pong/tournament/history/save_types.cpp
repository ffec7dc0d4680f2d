// The harness of every revision, compiled with the folder of that revision in the include path.
#include <revctl/harness.h>

#include "known_tournament.h"
#include "tournament.h"
#include "tournament_list.revctl.h"
#include "write_save.h"

namespace tournament {

HARNESS_TYPE(Tournament, TR_INITIAL);
HARNESS_SAMPLE(Tournament, "known") { d = KnownTournament(); }
// Writes only the plug-in's part; forms_test.cpp joins it with a game's part.
WRITES_SAVE_BY([](const char* path) {
  return revctl::SaveFile(path, TR_LATEST, KnownTournament());
});

}  // namespace tournament
