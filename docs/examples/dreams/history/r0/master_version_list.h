// Every change to saved data takes the next number: revctl reserve SR_NAME -m "who: what".
#pragma once

enum SerializeRevision {
  SR_INITIAL = 0,  // ae: things in a scene
};
