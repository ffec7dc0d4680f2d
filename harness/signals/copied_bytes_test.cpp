// GH007 about structs that are copied byte by byte (BytesWireAs), whose members no layout shows.
#include <catch2/catch.hpp>
#include <cstdint>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1 };
}  // namespace

namespace before {
struct Flags {
  std::uint8_t open : 1;
  std::uint8_t locked : 1;
  std::uint8_t kind : 6;
};
struct Door {
  Flags flags = {}, back = {};
};
}  // namespace before
namespace six {
struct Stats {
  std::int16_t a, b, c, d, e, f;
};
static_assert(revctl::detail::kTellsMemory<Stats>);
}  // namespace six

template <>
struct revctl::WireAs<before::Flags> : revctl::BytesWireAs<before::Flags> {};

namespace before {
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, back);
}
SERIALIZE_END
}  // namespace before
NAMED(before::Door, "Door");

namespace revctl::harness::test {

TEST_CASE("check: one note says where members are copied byte by byte", "[harness][signals]") {
  const Folder folder;
  const Program program = Program(1).Type<before::Door>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH007", "Door", "back");
  CHECK(finding.severity == Severity::Note);
  CHECK_THAT(finding.message, Catch::StartsWith("Door.back and 1 more are copied byte by byte"));
  CHECK(result.findings.size() == 1);
}

TEST_CASE("check: an aggregate of numbers in memory has the text of each", "[harness][signals]") {
  CHECK(revctl::detail::MemoryText(before::Flags{1, 0, 3}) == "1 0 3");
  CHECK(revctl::detail::MemoryText(six::Stats{1, 2, 3, 4, 5, 6}) == "1 2 3 4 5 6");
}

}  // namespace revctl::harness::test
