// Each revision's harness: this file is compiled with that revision's folder in the include path.
#include <revctl/harness.h>

#include "known_world.h"
#include "master_version_list.revctl.h"
#include "write_save.h"

namespace voxel {

HARNESS_TYPE(World, SR_FIRST);
HARNESS_FORMAT(World, {});
HARNESS_SAMPLE(World, "known") { d = KnownWorld(); }
WRITES_SAVE(KnownWorld());

}  // namespace voxel
