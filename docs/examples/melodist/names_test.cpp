// names/again.yaml removes names and reuses them. The code generated from it compiles and reads
// each older version.
#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <revctl/serialize.h>

#include "again.h"

namespace again {
namespace {

/// Returns the payload of these values at `revision`, in order. Does not use generated code.
template <class... Values>
std::vector<std::byte> Payload(std::int64_t revision, Values... values) {
  revctl::Writer writer(revision);
  (Serialize(writer, values), ...);
  REQUIRE(writer.Ok());
  return {writer.Bytes().begin(), writer.Bytes().end()};
}

template <class T = Outer>
T Read(const std::vector<std::byte>& payload, std::int64_t revision) {
  revctl::Reader reader(payload, revision);
  T value;
  Serialize(reader, value);
  INFO(reader.error().path << ": " << reader.error().reason);
  REQUIRE(reader.AtEnd());
  return value;
}

TEST_CASE("a name that lived as four types is read at each revision", "[generate]") {
  const std::string name = "inner";
  using Counts = std::map<std::string, std::int32_t>;
  const std::array<float, 2> pair = {2.5F, 1000.5F}, other = {3, 4};
  const Outer a = Read(Payload(SR_A, 3.0F, 2.5F, name, std::int32_t{9}), SR_A);
  const Outer b = Read(Payload(SR_B, std::string("xxx"), 2.5F, name, std::int32_t{9}), SR_B);
  CHECK(a == b);
  CHECK(a.x == Mode::On);
  CHECK(a.size == 3);
  CHECK(a.next.fields == pair);
  CHECK(a.next.object == name);
  CHECK(a.move == 9);
  const Outer c = Read(Payload(SR_C, Counts{{"abcd", 5}}, other, name, std::int32_t{9}), SR_C);
  CHECK(c.x == Mode::On);
  CHECK(c.size == 4);
  CHECK(c.next.fields == other);
  CHECK(Read(Payload(SR_C, Counts{}, other, name, std::int32_t{9}), SR_C).x == Mode::Off);
  const Outer d =
      Read(Payload(SR_D, std::uint8_t{1}, std::uint64_t{4}, other, name, std::int32_t{9}), SR_D);
  CHECK(d == c);
}

TEST_CASE("what older builds get has the layout of their revision", "[generate]") {
  const Outer value{Mode::On, 2, {{1, 2}, "i"}, 5};
  for (const std::int64_t revision : {SR_A, SR_B, SR_C, SR_D}) {
    const std::vector<std::byte> payload = Payload(revision, value);
    INFO(revision);
    CHECK(Payload(revision, Read(payload, revision)).size() > 0);
  }
  CHECK(Payload(SR_A, value) == Payload(SR_A, 1.0F, float{}, std::string(), std::int32_t{7}));
  const std::map<std::string, std::int32_t> counts;
  CHECK(Payload(SR_C, value) ==
        Payload(SR_C, counts, value.next.fields, value.next.object, value.move));
}

TEST_CASE("a computed field sees moved fields that keep their name", "[generate]") {
  const std::vector<std::int32_t> scores = {7, 8};
  // The names are too long for the small-string buffer, so a moved-from string is empty.
  const std::string author = "an author whose name is a long one",
                    object = "an object whose name is a long one";
  const auto payload = Payload(SR_A, author, scores, std::int32_t{0x40400000}, object);  // 3.0F
  const Kept kept = Read<Kept>(payload, SR_A);
  CHECK(kept.author == author);
  CHECK(kept.scores == scores);
  CHECK(kept.inner.object == object);
  CHECK(kept.letters == author.size());
  CHECK(kept.best == 7);
  CHECK(kept.tag == object);
}

TEST_CASE("enumerators at the ends of 64 bits, in C++ and in bytes", "[generate]") {
  using Limits = std::numeric_limits<std::int64_t>;
  static_assert(static_cast<std::int64_t>(Low::Least) == Limits::min());
  static_assert(static_cast<std::int64_t>(Low::Second) == Limits::min() + 1);
  static_assert(static_cast<std::int64_t>(Low::Greatest) == Limits::max());
  static_assert(static_cast<std::uint64_t>(High::Half) == std::uint64_t{1} << 63);
  static_assert(static_cast<std::uint64_t>(High::Greatest) ==
                std::numeric_limits<std::uint64_t>::max());
  const std::vector<std::byte> payload = Payload(SR_D, Limits::min(), std::uint64_t{1} << 63);
  const Ends ends = Read<Ends>(payload, SR_D);
  CHECK(ends == Ends{Low::Least, High::Half});
  CHECK(Payload(SR_D, ends) == payload);
}

TEST_CASE("structs that are called as parameters of templates are", "[generate]") {
  const F f = Read<F>(Payload(SR_D, 2.5F), SR_D);
  CHECK(f == F{Object{2.5F}});
  CHECK(revctl::ToText(f).find("x: 2.5") != std::string::npos);
}

}  // namespace
}  // namespace again
