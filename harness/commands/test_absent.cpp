#include "harness/commands/command.h"

namespace revctl::harness {

/// Replaces test.cpp if Catch2 is missing. All other commands work without Catch2.
Exit RunTest(const Session& session, const TestArguments&) {
  return Refuse(Exit::Usage, "this harness was built without Catch2",
                "install Catch2 (Debian: catch2) and rebuild revctl; until then: " +
                    session.program + " check --format junit");
}

}  // namespace revctl::harness
