// A save of Pong: a match between people who send each other their strokes by letter.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// Returns points minus fouls, which is the score since SR_NO_FOULS. Saturates, because a save may
/// contain arbitrary numbers.
inline std::int32_t LessFouls(std::int32_t points, std::int32_t fouls) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int64_t score = std::int64_t{points} - fouls;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(score, Limits::min(), Limits::max()));
}

struct Player {
  std::string name;
  std::int32_t score = 0;
};

SERIALIZE_TYPE(Player) {
  ADD(SR_MORE_PLAYERS, name);
  ADD(SR_MORE_PLAYERS, score);
  REM(SR_MORE_PLAYERS, SR_NO_FOULS, std::int32_t, fouls, 0);
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.score = LessFouls(d.score, fouls);
}
SERIALIZE_END

struct GameScore {
  std::vector<Player> players;

  /// Returns the score of the player at `place`, or 0 if there is no player.
  std::int32_t At(std::size_t place) const {
    return place < players.size() ? players[place].score : 0;
  }
  /// Returns all players except the first two, which old saves store separately.
  std::vector<Player> FromThird() const {
    return players.size() <= 2 ? std::vector<Player>{}
                               : std::vector<Player>(players.begin() + 2, players.end());
  }
};

// Up to SR_ONE_LIST the first two players had separate fields. Files for such builds contain
// today's score and no fouls, which gives the same difference.
SERIALIZE_TYPE(GameScore) {
  REM(SR_INITIAL, SR_ONE_LIST, std::int32_t, p1Score, d.At(0));
  REM(SR_INITIAL, SR_ONE_LIST, std::int32_t, p2Score, d.At(1));
  REM(SR_FOULS, SR_ONE_LIST, std::int32_t, p1Fouls, 0);
  REM(SR_FOULS, SR_ONE_LIST, std::int32_t, p2Fouls, 0);
  REM(SR_MORE_PLAYERS, SR_ONE_LIST, std::vector<Player>, others, d.FromThird());
  ADD(SR_ONE_LIST, players);
  if (r.IsReading() && r.revision < SR_ONE_LIST) {
    d.players = {{"Player 1", LessFouls(p1Score, p1Fouls)},
                 {"Player 2", LessFouls(p2Score, p2Fouls)}};
    d.players.insert(d.players.end(), others.begin(), others.end());
  }
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
  std::uint8_t seats = 2;  // how many may play
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
  ADD(SR_MORE_PLAYERS, seats);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

}  // namespace pong
