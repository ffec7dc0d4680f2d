// Types for the harness: the root of the files, and a fixed song.
#include <revctl/harness.h>

#include "known_song.h"

namespace melodist {

HARNESS_TYPE(Song, SR_FIRST);
HARNESS_FILES(Song, SongFiles);
HARNESS_SAMPLE(Song, "known") { d = KnownSong(); }

}  // namespace melodist
