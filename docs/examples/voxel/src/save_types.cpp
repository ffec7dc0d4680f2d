// Types for the harness: the root of the files, and a fixed world.
#include <revctl/harness.h>

#include "known_world.h"
#include "world_file.h"

namespace voxel {

HARNESS_TYPE(World, SR_FIRST);
HARNESS_FILES(World, WorldFiles);
HARNESS_SAMPLE(World, "known") { d = KnownWorld(); }

}  // namespace voxel
