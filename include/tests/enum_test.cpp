#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <catch2/catch.hpp>

#include <cstring>

// Tests enums without a fixed underlying type. They can hold only values that fit in the bits of
// their enumerators. Any other value from a file would be undefined behavior.

namespace {

enum Suit { Clubs, Diamonds, Hearts };          // underlying type unsigned int; valid values 0 to 3
enum Signed { Below = -3, Above = 4 };          // underlying type int; valid values -8 to 7
enum Flags { None = 0, Lit = 1, Locked = 64 };  // valid values 0 to 127
enum Fixed : std::uint32_t { FixedOne = 1 };    // holds anything
enum class Scoped { One = 1 };                  // holds anything

static_assert(revctl::detail::kIsUnfixedEnum<Suit> && revctl::detail::kIsUnfixedEnum<Signed>);
static_assert(!revctl::detail::kIsUnfixedEnum<Fixed> && !revctl::detail::kIsUnfixedEnum<Scoped>);

struct Hand {
  Suit suit = Diamonds;
  std::vector<Suit> rest;
  Suit pair[2] = {};
  Signed number = Above;
  Flags flags = None;
  Fixed fixed = FixedOne;
};
SERIALIZE_TYPE(Hand) {
  ADD(1, suit);
  ADD(1, rest);
  ADD(1, pair);
  ADD(1, number);
  ADD(1, flags);
  ADD(1, fixed);
}
SERIALIZE_END

/// Returns the bytes of a Hand, given as a list of 32-bit values.
std::vector<std::byte> Bytes(std::vector<std::uint32_t> words) {
  std::vector<std::byte> bytes(words.size() * 4);
  revctl::detail::CopyValues<std::uint32_t>(bytes.data(), words.data(), words.size());
  return bytes;
}

/// Returns the path at which both readers fail, or "" if both succeed.
std::string Refused(const std::vector<std::byte>& bytes) {
  Hand hand, traced;
  revctl::Reader r(bytes, 1);
  Serialize(r, hand);
  revctl::TraceReader trace(bytes, 1);
  Serialize(trace, traced);
  CHECK(r.Ok() == trace.Ok());
  CHECK(r.error().path == trace.error().path);
  if (!r.Ok()) CHECK_THAT(r.error().reason, Catch::Contains("no fixed underlying type"));
  return r.error().path;
}

}  // namespace

TEST_CASE("enums: without a fixed type, only values that fit are accepted", "[enum]") {
  CHECK(Refused(Bytes({2, 1, 1, 0, 2, 4, 65, 7})) == "");
  CHECK(Refused(Bytes({3, 1, 3, 3, 3, 7, 127, 4000000000})) ==
        "");  // values without an enumerator that fit in the enum's bits
  CHECK(Refused(Bytes({4, 1, 1, 0, 2, 4, 65, 7})) == "Hand.suit");
  CHECK(Refused(Bytes({2, 1, 0x80000000, 0, 2, 4, 65, 7})) == "Hand.rest[0]");
  CHECK(Refused(Bytes({2, 1, 1, 0, 77, 4, 65, 7})) == "Hand.pair[1]");
  CHECK(Refused(Bytes({2, 1, 1, 0, 2, 8, 65, 7})) == "Hand.number");
  CHECK(Refused(Bytes({2, 1, 1, 0, 2, 0xFFFFFFF8, 65, 7})) == "");  // -8
  CHECK(Refused(Bytes({2, 1, 1, 0, 2, 0xFFFFFFF7, 65, 7})) == "Hand.number");
  CHECK(Refused(Bytes({2, 1, 1, 0, 2, 4, 128, 7})) == "Hand.flags");
}

TEST_CASE("enums: values that readers reject are not written", "[enum]") {
  Hand hand;
  const std::uint32_t strange = 200;
  std::memcpy(static_cast<void*>(&hand.pair[1]), &strange, 4);
  revctl::Writer w(1);
  Serialize(w, hand);
  CHECK(w.error().path == "Hand.pair[1]");
  CHECK_THAT(w.error().reason, Catch::Contains("REVCTL_ENUMERATORS"));
}

TEST_CASE("enums: JSON and fillers use only valid values", "[enum]") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Hand hand = revctl::Filled<Hand>(1, seed);
    Hand back;
    const std::string text = revctl::ToJson(hand, 1);
    revctl::JsonReader again(text, 1);
    Serialize(again, back);
    CHECK(again.Ok());
    CHECK(back.suit == hand.suit);
    CHECK(back.rest == hand.rest);
  }
  Hand hand;
  revctl::JsonReader json(R"({"suit": 9})", 1);
  Serialize(json, hand);
  CHECK_FALSE(json.Ok());
}
