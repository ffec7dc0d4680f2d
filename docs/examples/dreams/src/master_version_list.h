// Every change to saved data takes the next number: revctl reserve SR_NAME -m "who: what".
#pragma once

enum SerializeRevision {
  SR_INITIAL = 0,      // ae: things in a scene
  SR_GLOW = 3,         // kp: things can glow (1 and 2 were tried out and thrown away)
  SR_RAY_HIT_SEQ = 4,  // ae: what the brush hit, ray by ray
  SR_SHADOWS = 5,      // kp: things can be told to cast no shadow
  SR_MOVABLE = 6,      // dm: movable and collidable are no longer bits of something else
  SR_LOOK = 7,         // kp: glow and shadow in one mask
  SR_RESTING = 9,      // dm: things that cannot move have no velocity (8 is still on a branch)
  SR_NO_COST = 12,     // ae: cost is worked out when a scene is loaded
};
