// GH007 for members that a body mentions only in a branch that no sample takes.
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

}  // namespace

namespace revctl::harness::test {

TEST_CASE("members: the sample that takes an untaken branch is printed",
          "[harness][signals][coverage]") {
  const Folder folder;
  const CheckResult untaken = Program(1).Type<Branching>().Check(folder);
  INFO(Text(untaken));
  const Finding finding = Find(untaken, "GH007", "Branching", "");
  CHECK_THAT(finding.message,
             Catch::Contains(
                 "1 of 2 members of Branching is not mentioned by its Serialize in any sample"));
  CHECK_THAT(
      finding.fix,
      Catch::Contains("HARNESS_SAMPLE(Branching, \"member\") { /* d such that it does */ }"));
  const Program taken = Program(1).Type<Branching>().Sample("rare", MakeRare);
  taken.Record(folder);
  const CheckResult after = taken.Check(folder);
  INFO(Text(after));
  CHECK_FALSE(after.errors);
}

}  // namespace revctl::harness::test
