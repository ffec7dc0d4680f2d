// Each revision's harness: this file is compiled with that revision's folder in the include path.
#include <revctl/harness.h>

#include "known_scene.h"
#include "master_version_list.revctl.h"
#include "write_save.h"

namespace dreams {

HARNESS_TYPE(Scene, SR_INITIAL);
HARNESS_SAMPLE(Scene, "known") { d = KnownScene(); }
WRITES_SAVE(KnownScene());

}  // namespace dreams
