// Revisions of songs: one number for everything in them.
#pragma once

enum SongRevision {
  SR_FIRST = 1,  // songs; files had no header
  SR_STAGE = 2,  // voices stand in space; files have a header
};
