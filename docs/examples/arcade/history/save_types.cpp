// Each version's harness: this file is compiled with that version's folder in the include path.
#include "adapter.h"
#include "known_machine.h"
#include "state_version.revctl.h"
#include "values.h"

#include "write_save.h"

HARNESS_TYPE_BY(Machine, STATE_FIRST, arcade::Streams, Opaque);
HARNESS_FILES(Machine, arcade::StateFiles);
HARNESS_SAMPLE(Machine, "known") { d = KnownMachine(); }

revctl::Status SaveOld(const char* file) {
  Machine machine = KnownMachine();
  const std::vector<unsigned char> state = SaveState(machine);
  return revctl::ReplaceFile(file, std::as_bytes(std::span(state)));
}
WRITES_SAVE_BY(SaveOld);
