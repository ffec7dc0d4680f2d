// Each revision's harness: this file is compiled with that revision's folder in the include path.
#include <revctl/harness.h>

#include "known_level.h"
#include "master_version_list.revctl.h"
#include "write_save.h"

namespace actors {

HARNESS_TYPE(Level, SR_FIRST);
HARNESS_SAMPLE(Level, "known") { d = KnownLevel(); }
WRITES_SAVE(KnownLevel());

}  // namespace actors
