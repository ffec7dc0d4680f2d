// Types for the harness: the root of the files, and a fixed scene.
#include <revctl/harness.h>

#include "known_scene.h"

namespace dreams {

HARNESS_TYPE(Scene, SR_INITIAL);
HARNESS_SAMPLE(Scene, "known") { d = KnownScene(); }

}  // namespace dreams
