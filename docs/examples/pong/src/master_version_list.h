// Revisions of Pong's saves: one number for all types and all developers.
// To add one: revctl reserve SR_NAME -m "what changes".
#pragma once

enum SaveRevision {
  SR_INITIAL = 1,       // ben: scores of the two players
  SR_FOULS = 2,         // ann: fouls are counted
  SR_MORE_PLAYERS = 3,  // ben: more than two may play
  SR_ONE_LIST = 4,      // ann: all players in one list
  SR_NO_FOULS = 5,      // ben: fouls are no longer tracked, the score is the difference
};
