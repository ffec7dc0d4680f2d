// The types that save files contain at their root. The harness keeps goldens of each.
#include <revctl/harness.h>

#include "score.h"

HARNESS_TYPE(Score, SR_INITIAL);
