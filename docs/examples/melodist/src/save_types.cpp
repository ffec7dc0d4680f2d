// What the harness watches: the root of the files, and a song that people know.
#include <revctl/harness.h>

#include "known_song.h"

namespace melodist {

HARNESS_TYPE(Song, SR_FIRST);
HARNESS_FILES(Song, SongFiles);
HARNESS_SAMPLE(Song, "known") { d = KnownSong(); }

}  // namespace melodist
