// Each revision's harness: this file is compiled with that revision's folder in the include path.
#include <revctl/harness.h>

#include "known_match.h"
#include "master_version_list.revctl.h"
#include "match.h"
#include "write_save.h"

namespace pong {

HARNESS_TYPE(Match, SR_INITIAL);
HARNESS_SAMPLE(Match, "known") { d = KnownMatch(); }
WRITES_SAVE(KnownMatch());

}  // namespace pong
