// Each revision's harness: this file is compiled with that revision's folder in the include path.
#include <revctl/harness.h>

#include "known_song.h"
#include "master_version_list.revctl.h"
#include "write_save.h"

namespace melodist {

HARNESS_TYPE(Song, SR_FIRST);
HARNESS_FILES(Song, SongFiles);
HARNESS_SAMPLE(Song, "known") { d = KnownSong(); }

revctl::Status SaveKnown(const char* path) {
  std::vector<std::byte> file;
  const revctl::Status status = SaveSong(KnownSong(), file);
  return status ? revctl::ReplaceFile(path, file) : status;
}
WRITES_SAVE_BY(SaveKnown);

}  // namespace melodist
