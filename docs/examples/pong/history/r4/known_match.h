// The match of this revision whose result people know: a sample of the harness, and the save in
// saves/r4.save.
#pragma once
#include "match.h"

namespace pong {

inline Match KnownMatch() {
  Match match;
  match.title = "Ann v. Ben v. Cleo";
  match.phase = Phase::Rally;
  match.ball = {0.25f, 0.75f, -1.5f, 0.125f};
  match.strokes = {{1, -7, 3}, {2, 12, -1}};
  match.postage = {{"Ann", 155}, {"Ben", 310}};
  match.score.players = {{"Ann", 7, 3}, {"Ben", 4, 0}, {"Cleo", 12, 5}};
  match.seats = 3;
  return match;
}

}  // namespace pong
