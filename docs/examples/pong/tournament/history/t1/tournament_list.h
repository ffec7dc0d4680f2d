// Revisions of the tournament plug-in: its own numbers, which nobody who works on Pong need know
// of.
#pragma once

enum TournamentRevision {
  TR_INITIAL = 1,  // cleo: who plays in it
};
