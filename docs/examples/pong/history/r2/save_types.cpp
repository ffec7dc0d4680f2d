// What the harness watched at revision 2: the roots of Pong's files, and a match that people know the result of.
#include <revctl/harness.h>

#include "known_match.h"
#include "match.h"

namespace pong {

HARNESS_TYPE(Match, SR_INITIAL);
HARNESS_SAMPLE(Match, "known") { d = KnownMatch(); }

}  // namespace pong
