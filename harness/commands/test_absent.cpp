#include "harness/commands/command.h"

namespace revctl::harness {

/// The library was built where Catch2 was not: all else works.
Exit RunTest(const Session& session, const TestArguments&) {
  return Refuse(Exit::Usage, "this harness was built without Catch2",
                "install Catch2 (Debian: catch2) and build revctl anew; until then: " +
                    session.program + " check --format junit");
}

}  // namespace revctl::harness
