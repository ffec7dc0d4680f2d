// A fixed song: a sample of the harness, and the content of the file in saves/.
#pragma once
#include "types.h"

namespace melodist {

inline Song KnownSong() {
  Song song;
  song.title = "La";
  song.tempo = 90.5;
  song.authors = {"Ann", "Ben"};
  Voice voice;
  voice.wave = Wave::Square;
  voice.at = {1.5F, 3, -2};
  voice.notes = {{69, 0}, {60, 1.5F}};
  song.voices = {voice};
  return song;
}

}  // namespace melodist
