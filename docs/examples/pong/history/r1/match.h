// Content of a Pong save at revision 1: a match between people who send each other their strokes
// by letter.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "master_version_list.h"

namespace pong {

enum class Phase : std::uint8_t { Serve, Rally, Over };

/// Position in court widths and heights, and velocity per second.
struct Ball {
  float x = 0.5f, y = 0.5f;
  float dx = 0, dy = 0;
};

SERIALIZE_TYPE(Ball) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, dx);
  ADD(SR_INITIAL, dy);
}
SERIALIZE_END

/// One letter: where a player held the paddle when the ball came.
struct Stroke {
  std::uint8_t player = 0;
  std::int16_t paddle = 0, spin = 0;
};

SERIALIZE_TYPE(Stroke) {
  ADD(SR_INITIAL, player);
  ADD(SR_INITIAL, paddle);
  ADD(SR_INITIAL, spin);
}
SERIALIZE_END

struct GameScore {
  std::int32_t p1Score = 0, p2Score = 0;
};

SERIALIZE_TYPE(GameScore) {
  ADD(SR_INITIAL, p1Score);
  ADD(SR_INITIAL, p2Score);
}
SERIALIZE_END

struct Match {
  std::string title;
  Phase phase = Phase::Serve;
  std::array<std::uint16_t, 2> court = {80, 24};  // width and height, in characters of a typewriter
  Ball ball;                                      // used only during a rally
  std::vector<Stroke> strokes;
  std::map<std::string, std::uint32_t> postage;  // paid so far, in cents, by player
  GameScore score;
};

SERIALIZE_TYPE(Match) {
  ADD(SR_INITIAL, title);
  ADD(SR_INITIAL, phase);
  ADD(SR_INITIAL, court);
  ADD_CONDITIONAL(SR_INITIAL, d.phase == Phase::Rally, ball);
  CHECK_INTEGRITY(SR_INITIAL);
  ADD(SR_INITIAL, strokes);
  ADD(SR_INITIAL, postage);
  ADD(SR_INITIAL, score);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

}  // namespace pong
