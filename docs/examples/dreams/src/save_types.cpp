// What the harness watches: the root of the files, and a scene that people know.
#include <revctl/harness.h>

#include "known_scene.h"

namespace dreams {

HARNESS_TYPE(Scene, SR_INITIAL);
HARNESS_SAMPLE(Scene, "known") { d = KnownScene(); }

}  // namespace dreams
