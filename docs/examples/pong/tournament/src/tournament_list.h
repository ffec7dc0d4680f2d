// Revisions of the tournament plug-in. The game's developers need not know them.
#pragma once

enum TournamentRevision {
  TR_INITIAL = 1,  // cleo: who plays in it
  TR_PRIZE = 2,    // cleo: the prize
};
