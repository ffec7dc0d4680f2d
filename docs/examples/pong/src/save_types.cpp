// Types for the harness: the roots of Pong's files, and a fixed match with a known result.
#include <revctl/harness.h>

#include "known_match.h"
#include "match.h"

namespace pong {

HARNESS_TYPE(Match, SR_INITIAL);
HARNESS_SAMPLE(Match, "known") { d = KnownMatch(); }

}  // namespace pong
