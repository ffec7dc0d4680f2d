// A type that rejects all samples is reported as unrecorded.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

struct Psmf {
  std::uint32_t section = 0;
  std::int32_t value = 0;
};
SERIALIZE_TYPE(Psmf) {
  ADD(SR_INITIAL, section);
  if (d.section != 0x464D5350) r.Fail("not this section in this version");
  ADD(SR_INITIAL, value);
}
SERIALIZE_END

/// Writes what its own body refuses to read.
struct Effects {
  std::vector<std::uint8_t> fx;
};
SERIALIZE_TYPE(Effects) {
  ADD(SR_INITIAL, fx);
  if (r.IsReading() && d.fx.size() > 2) r.Fail("too many fx");
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {
namespace {

Recording Recorded(const Program& program) {
  const Folder folder;
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  return harness::Record(program.registry, History(list, store), 0, {});
}

}  // namespace

TEST_CASE("record: a type that refuses all its samples is an error", "[harness][samples]") {
  Program program = Program(1).Type<Psmf>();
  const Recording refused = Recorded(program);
  REQUIRE(refused.troubles.size() == 1);
  CHECK_THAT(refused.troubles[0],
             Catch::StartsWith("Psmf: 0 of ") &&
                 Catch::Contains(" samples taken: the first cannot be written: ") &&
                 Catch::Contains("not this section in this version") &&
                 Catch::EndsWith("HARNESS_SAMPLE(Psmf, \"name\") {...}"));

  program.Sample("section", [](void* object) { static_cast<Psmf*>(object)->section = 0x464D5350; });
  CHECK(Recorded(program).troubles.empty());
}

TEST_CASE("check: a refusal by the body of the root names the root", "[harness][samples]") {
  const Folder folder;
  Program(1).Type<Effects>().Record(folder);
  Program program = Program(1).Type<Effects>().Sample("many", [](void* object) {
    static_cast<Effects*>(object)->fx = {1, 2, 3};
  });
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK_THAT(Text(result), Catch::Contains("is written but not read back: Effects: too many fx"));
  const Recording refused = Recorded(program);
  REQUIRE_FALSE(refused.troubles.empty());
  CHECK_THAT(refused.troubles[0],
             Catch::Contains("is written but not read back: Effects: too many fx"));
}

}  // namespace revctl::harness::test
