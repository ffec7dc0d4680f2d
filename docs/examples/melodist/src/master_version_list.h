// Revisions of songs: one number for everything in them.
#pragma once

enum SongRevision {
  SR_FIRST = 1,    // songs; files had no header
  SR_STAGE = 2,    // voices have positions; files have a header
  SR_BEATS = 3,    // notes begin on beats, not ticks; tempo can be fractional
  SR_CREDITS = 4,  // more than one author
};
