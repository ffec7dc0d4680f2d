// The song that people know.
#pragma once
#include "types.h"

namespace melodist {

inline Song KnownSong() {
  Song song;
  song.title = "La";
  song.tempo = 90.5;
  song.authors = {"Ann", "Ben"};
  song.voices = {{Wave::Square, {1.5F, 3, -2}, {{69, 0}, {60, 1.5F}}}};
  return song;
}

}  // namespace melodist
