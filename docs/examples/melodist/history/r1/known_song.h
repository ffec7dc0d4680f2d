// The fixed song, as it was at revision 1.
#pragma once
#include "types.h"

namespace melodist {

inline Song KnownSong() {
  Song song;
  song.title = "La";
  song.tempo = 90;
  song.author = "Ann";
  song.voices = {{Wave::Square, {1.5F, -2}, {{69, 0}, {60, 36}}}};
  return song;
}

}  // namespace melodist
