// Types for the harness: the root of the files, and a fixed game.
#include "adapter.h"
#include "game_files.h"
#include "known_game.h"

namespace realm {

HARNESS_TYPE_BY(Game, Version::FIRST, Streams);
HARNESS_FILES(Game, GameFiles);
HARNESS_SAMPLE(Game, "known") { d = KnownGame(); }

}  // namespace realm
