// A fixed match with a known result: a sample of the harness, and the content of saves/today.save.
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
  match.score.players = {{"Ann", 4}, {"Ben", 5}, {"Cleo", -2}};
  match.seats = 3;
  return match;
}

}  // namespace pong
