// Tests structs that are copied byte by byte (BytesWireAs), whose members appear in no layout.
#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

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

/// Two bit-fields have traded places, which changes neither the struct's size nor any type.
namespace swapped {
struct Flags {
  std::uint8_t locked : 1;
  std::uint8_t open : 1;
  std::uint8_t kind : 6;
};
struct Door {
  Flags flags = {}, back = {};
};
}  // namespace swapped
namespace renamed {
struct Flags {
  std::uint8_t open : 1;
  std::uint8_t barred : 1;
  std::uint8_t kind : 6;
};
struct Door {
  Flags flags = {}, back = {};
};
}  // namespace renamed
namespace unclear {
struct Flags {
  std::uint8_t open : 1;
#if !defined(WITHOUT_LOCKS)
  std::uint8_t locked : 1;
#endif
  std::uint8_t kind : 6;
};
struct Door {
  Flags flags = {}, back = {};
};
}  // namespace unclear

namespace whole {
struct Point {
  std::int16_t x = 0, y = 0;
};
struct Shot {
  Point from, to;
  std::int32_t speed = 0;
};
struct Match {
  std::vector<Shot> shots;
};
}  // namespace whole
namespace whole_swapped {
struct Point {
  std::int16_t y = 0, x = 0;
};
struct Shot {
  Point from, to;
  std::int32_t speed = 0;
};
struct Match {
  std::vector<Shot> shots;
};
}  // namespace whole_swapped

template <>
struct revctl::WireAs<swapped::Flags> : revctl::BytesWireAs<swapped::Flags> {};
template <>
struct revctl::WireAs<renamed::Flags> : revctl::BytesWireAs<renamed::Flags> {};
template <>
struct revctl::WireAs<unclear::Flags> : revctl::BytesWireAs<unclear::Flags> {};
template <>
struct revctl::WireAs<whole::Shot> : revctl::BytesWireAs<whole::Shot> {};
template <>
struct revctl::WireAs<whole_swapped::Shot> : revctl::BytesWireAs<whole_swapped::Shot> {};
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
namespace whole_swapped {
SERIALIZE_TYPE(Match) { ADD(SR_INITIAL, shots); }
SERIALIZE_END
}  // namespace whole_swapped
NAMED(whole_swapped::Match, "Match");
namespace whole {
SERIALIZE_TYPE(Match) { ADD(SR_INITIAL, shots); }
SERIALIZE_END
}  // namespace whole
NAMED(whole::Match, "Match");
namespace unclear {
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, back);
}
SERIALIZE_END
}  // namespace unclear
NAMED(unclear::Door, "Door");
namespace renamed {
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, back);
}
SERIALIZE_END
}  // namespace renamed
NAMED(renamed::Door, "Door");
namespace swapped {
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, back);
}
SERIALIZE_END
}  // namespace swapped
NAMED(swapped::Door, "Door");

namespace revctl::harness::test {

namespace {

template <class T>
CheckResult CheckIn(const Folder& folder) {
  return Program(1).Type<T>().Check(folder);
}

}  // namespace

TEST_CASE("check: reports moved members of a struct that is copied byte by byte",
          "[harness][signals]") {
  const Folder folder;
  Program(1).Type<before::Door>().Record(folder);
  CHECK_THAT(Bytes(folder.path() + "/SR_INITIAL.yaml"),
             Catch::Contains("members: \"Flags{open:1, locked:1, kind:6}\""));
  const CheckResult same = CheckIn<before::Door>(folder);
  INFO(Text(same));
  CHECK(same.findings.empty());
  const CheckResult swapped = CheckIn<swapped::Door>(folder);
  INFO(Text(swapped));
  CHECK(Errors(swapped) == std::vector<std::string>{"GH001 Door.flags"});
  const Finding finding = Find(swapped, "GH001", "Door", "flags");
  CHECK(finding.message ==
        "Door.flags is copied byte by byte, and the members of its struct were reordered (at "
        "SR_INITIAL)");
  CHECK_THAT(FixText(finding.fix), Catch::StartsWith("reorder the members of Flags as recorded: "
                                                     "{open:1, locked:1, kind:6}"));
  // Renaming a bit-field does not change any file.
  CHECK(Errors(CheckIn<renamed::Door>(folder)).empty());
}

TEST_CASE("check: reports moved members of a nested struct, too", "[harness][signals]") {
  const Folder folder;
  Program(1).Type<whole::Match>().Record(folder);
  CHECK(CheckIn<whole::Match>(folder).findings.empty());
  const CheckResult swapped = CheckIn<whole_swapped::Match>(folder);
  INFO(Text(swapped));
  CHECK(Errors(swapped) == std::vector<std::string>{"GH001 Match.shots"});
}

TEST_CASE("check: one note lists the structs that are copied byte by byte", "[harness][signals]") {
  const Folder folder;
  const Program program = Program(1).Type<unclear::Door>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH007", "Door", "back");
  CHECK(finding.severity == Severity::Note);
  CHECK_THAT(finding.message, Catch::StartsWith("Door.back and 1 more are copied byte by byte"));
  CHECK(result.findings.size() == 1);
}

TEST_CASE("check: if a record lacks the members, they are not compared", "[harness][signals]") {
  const Folder folder;
  Program(1).Type<before::Door>().Record(folder);
  const std::string path = folder.path() + "/SR_INITIAL.yaml";
  std::string text = Bytes(path);
  const std::string members = ", members: \"Flags{open:1, locked:1, kind:6}\"";
  for (auto at = text.find(members); at != std::string::npos; at = text.find(members))
    text.erase(at, members.size());
  std::ofstream(path) << text;
  const CheckResult result = CheckIn<swapped::Door>(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
  CHECK_THAT(Find(result, "GH007", "Door", "back").message, Catch::Contains("byte by byte"));
  // The first record lacks only the list of the struct's members. The next revision does not record
  // the layout again because of that.
  Program(2).Type<before::Door>().Record(folder);
  CHECK_THAT(Bytes(folder.path() + "/SR_FOULS.yaml"), Catch::Contains("types: []"));
}

TEST_CASE("check: the text of an aggregate in memory contains each number", "[harness][signals]") {
  CHECK(revctl::detail::MemoryText(before::Flags{1, 0, 3}) == "1 0 3");
  CHECK(revctl::detail::MemoryText(six::Stats{1, 2, 3, 4, 5, 6}) == "1 2 3 4 5 6");
}

}  // namespace revctl::harness::test
