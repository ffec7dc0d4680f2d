// Each version's harness: this file is compiled with that version's folder in the include path.
#include "adapter.h"
#include "game_files.h"
#include "known_game.h"
#include "version.revctl.h"

#include "write_save.h"

namespace realm {

HARNESS_TYPE_BY(Game, Version::FIRST, Streams);
HARNESS_FILES(Game, GameFiles);
HARNESS_SAMPLE(Game, "known") { d = KnownGame(); }

/// The program's own files have no revctl header; they begin with the version.
revctl::Status SaveOld(const char* file) {
  SaveStream s;
  Game game = KnownGame();
  std::int32_t version = static_cast<std::int32_t>(s.version);
  s.Do(version);
  game.Sync(s);
  return revctl::ReplaceFile(file, s.bytes);
}
WRITES_SAVE_BY(SaveOld);

}  // namespace realm
