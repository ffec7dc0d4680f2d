// Types for the harness: the root of the files, and a fixed level.
#include <revctl/harness.h>

#include "known_level.h"

namespace actors {

HARNESS_TYPE(Level, SR_FIRST);
HARNESS_SAMPLE(Level, "known") { d = KnownLevel(); }

}  // namespace actors
