// A fixed match of this revision with a known result: a sample of the harness, and the save in
// saves/r1.save.
#pragma once
#include "match.h"

namespace pong {

inline Match KnownMatch() {
  Match match;
  match.title = "Ann v. Ben";
  match.phase = Phase::Rally;
  match.ball = {0.25f, 0.75f, -1.5f, 0.125f};
  match.strokes = {{1, -7, 3}, {2, 12, -1}};
  match.postage = {{"Ann", 155}, {"Ben", 310}};
  match.score.p1Score = 5;
  match.score.p2Score = 3;
  return match;
}

}  // namespace pong
