#include <revctl/harness.h>

#include "world.h"

HARNESS_TYPE(World, SR_INITIAL);
