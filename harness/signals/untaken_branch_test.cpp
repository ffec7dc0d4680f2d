// GH007 must report members that a body mentions only in a branch that no sample takes.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

struct Branching {
  std::int32_t kind = 0, extra = 0;
};
SERIALIZE_TYPE(Branching) {
  ADD(SR_INITIAL, kind);
  if (d.kind == 7331) {
    ADD(SR_INITIAL, extra);
  }
}
SERIALIZE_END
void MakeRare(void* object) { *static_cast<Branching*>(object) = {7331, 5}; }

/// A global variable, not a member of any object.
bool networkmode = false;
struct Client {
  std::int32_t id = 0, ping = 0;
};
SERIALIZE_TYPE(Client) {
  ADD(SR_INITIAL, id);
  ADD_CONDITIONAL(SR_INITIAL, networkmode, ping);
}
SERIALIZE_END
struct Server {
  std::int32_t id = 0, peers = 0;
};
SERIALIZE_TYPE(Server) {
  ADD(SR_INITIAL, id);
  if (networkmode) {
    ADD(SR_INITIAL, peers);
  }
}
SERIALIZE_END
/// A type whose condition uses a local variable, which depends on the object and not on a global
/// variable.
struct Rare {
  std::int32_t kind = 0, extra = 0;
};
SERIALIZE_TYPE(Rare) {
  ADD(SR_INITIAL, kind);
  const bool rare = d.kind == 7331;
  ADD_CONDITIONAL(SR_INITIAL, rare, extra);
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

TEST_CASE("conditions: reports a condition that depends on the program's state",
          "[harness][signals][coverage]") {
  const Folder folder;
  const CheckResult client = Program(1).Type<Client>().Check(folder);
  INFO(Text(client));
  CHECK_THAT(
      Find(client, "GH007", "Client", "ping").message,
      Catch::Contains("`networkmode` does not depend on the object") &&
          Catch::Contains(
              "the saved fields depend on the program's state: save the condition or remove it"));
  const CheckResult server = Program(1).Type<Server>().Check(folder);
  INFO(Text(server));
  CHECK_THAT(Find(server, "GH007", "Server", "").message,
             Catch::Contains("`if (networkmode)` at ") &&
                 Catch::Contains("the saved fields depend on the program's state"));
  const CheckResult rare = Program(1).Type<Rare>().Check(folder);
  INFO(Text(rare));
  CHECK_THAT(Text(rare), !Catch::Contains("running program"));
}

TEST_CASE("members: suggests a sample that takes an untaken branch",
          "[harness][signals][coverage]") {
  const Folder folder;
  const CheckResult untaken = Program(1).Type<Branching>().Check(folder);
  INFO(Text(untaken));
  const Finding finding = Find(untaken, "GH007", "Branching", "");
  CHECK_THAT(
      finding.message,
      Catch::Contains("Branching: its Serialize does not mention 1 of 2 members in any sample"));
  CHECK_THAT(
      FixText(finding.fix),
      Catch::Contains(
          "HARNESS_SAMPLE(Branching, \"member\") { /* set d so that the branch is taken */ }"));
  const Program taken = Program(1).Type<Branching>().Sample("rare", MakeRare);
  taken.Record(folder);
  const CheckResult after = taken.Check(folder);
  INFO(Text(after));
  CHECK_FALSE(after.errors);
}

}  // namespace revctl::harness::test
