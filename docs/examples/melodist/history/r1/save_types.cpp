// The root types that the harness checked at the first revision, when files had no header.
#include <revctl/harness.h>

#include "known_song.h"
#include "master_version_list.revctl.h"
#include "write_save.h"

namespace melodist {

HARNESS_TYPE(Song, SR_FIRST);
HARNESS_SAMPLE(Song, "known") { d = KnownSong(); }

revctl::Status SaveKnown(const char* path) {
  revctl::Writer writer(SR_FIRST);
  Serialize(writer, KnownSong());
  return revctl::ReplaceFile(path, writer.Bytes());
}
WRITES_SAVE_BY(SaveKnown);

}  // namespace melodist
