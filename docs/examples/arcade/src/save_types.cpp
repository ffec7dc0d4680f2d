// Types for the harness: the root of the files, and a fixed state.
#include "adapter.h"
#include "known_machine.h"
#include "values.h"

HARNESS_TYPE_BY(Machine, STATE_FIRST, arcade::Streams, Opaque);
HARNESS_FILES(Machine, arcade::StateFiles);
HARNESS_SAMPLE(Machine, "known") { d = KnownMachine(); }
