// A type whose body rejects all samples must be reported.
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/recording/record_parts.h"
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

/// A type whose body rejects the bytes that it has just written.
struct Effects {
  std::vector<std::uint8_t> fx;
};
SERIALIZE_TYPE(Effects) {
  ADD(SR_INITIAL, fx);
  if (r.IsReading() && d.fx.size() > 2) r.Fail("too many fx");
}
SERIALIZE_END

/// A type whose samples are all too large for a golden.
struct ConsoleRam {
  std::array<std::uint8_t, 65 << 20> ram{};
};
SERIALIZE_TYPE(ConsoleRam) { ADD(SR_INITIAL, ram); }
SERIALIZE_END

struct Tally {
  std::int32_t points = 0;
};
SERIALIZE_TYPE(Tally) { ADD(SR_INITIAL, points); }
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

TEST_CASE("record: a type that rejects all samples is an error", "[harness][samples]") {
  Program program = Program(1).Type<Psmf>();
  const Recording refused = Recorded(program);
  REQUIRE(refused.troubles.size() == 1);
  CHECK_THAT(refused.troubles[0],
             Catch::StartsWith("Psmf: the code rejects all ") &&
                 Catch::Contains(" samples (the first cannot be written: ") &&
                 Catch::Contains("not this section in this version") &&
                 Catch::EndsWith(
                     "write a sample that the code accepts: HARNESS_SAMPLE(Psmf, \"name\") {...}"));

  program.Sample("section", [](void* object) { static_cast<Psmf*>(object)->section = 0x464D5350; });
  CHECK(Recorded(program).troubles.empty());
}

TEST_CASE("check: names the root type if its body rejects data", "[harness][samples]") {
  const Folder folder;
  Program(1).Type<Effects>().Record(folder);
  Program program = Program(1).Type<Effects>().Sample("many", [](void* object) {
    static_cast<Effects*>(object)->fx = {1, 2, 3};
  });
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK_THAT(Text(result), Catch::Contains("cannot be read back: Effects: too many fx"));
  const Recording refused = Recorded(program);
  REQUIRE_FALSE(refused.troubles.empty());
  CHECK_THAT(refused.troubles[0], Catch::Contains("cannot be read back: Effects: too many fx"));
}

TEST_CASE("record: rejects a too large type before making samples", "[harness][samples]") {
  const Folder folder;
  const auto size = [](const Program& program) {
    return SizeIfTooLarge(program.registry.types.front(), 1, 1);
  };
  CHECK_FALSE(size(Program(1).Type<Tally>()));
  const auto bytes = size(Program(1).Type<ConsoleRam>());
  REQUIRE(bytes);
  CHECK(TooLargeText("ConsoleRam", *bytes) ==
        "ConsoleRam: even an empty object has 68157440 bytes; the limit for a golden is 67108864 "
        "bytes");
  // No size is returned, because a hand-written sample may fit within the limit.
  CHECK_FALSE(size(Program(1).Type<ConsoleRam>().Sample("small", [](void*) {})));
}

TEST_CASE("record: a failing type does not affect other types", "[harness][samples]") {
  const Program program = Program(1).Type<ConsoleRam>().Type<Psmf>().Type<Tally>();
  const Recording all = Recorded(program);
  CHECK(all.failed == std::set<std::string>{"ConsoleRam", "Psmf"});
  const Folder folder;
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  RecordingOptions options;
  options.left_out = all.failed;
  const Recording rest = harness::Record(program.registry, History(list, store), 0, options);
  CHECK(rest.troubles.empty());
  CHECK(rest.changed == std::vector<std::string>{"Tally"});
}

}  // namespace revctl::harness::test
