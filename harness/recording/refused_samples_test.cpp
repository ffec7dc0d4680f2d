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

}  // namespace revctl::harness::test
