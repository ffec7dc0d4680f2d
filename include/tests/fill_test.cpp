#include <catch2/catch.hpp>

#include <revctl/detail/base/checksum.h>
#include <revctl/fill.h>

#include "everything.h"

// Tests the filler's samples. Goldens contain these samples, so the values for a given seed must
// never change.

using everything::Everything;

namespace {

enum class Kind : std::uint8_t { Sword, Bow, Staff };

/// A body with typical conditions, which depend on earlier values.
struct Choosy {
  std::int32_t hp = 0, armour = 0;
  std::uint8_t count = 0;
  bool locked = false;
  Kind kind = Kind::Sword;
  std::string name;
  std::vector<std::int32_t> list;
  std::optional<float> luck;
  std::variant<std::int32_t, std::string> either;
  std::int32_t extra = 0;
};

/// The outcomes that each condition has had with any seed: bit 0 for false, bit 1 for true.
std::map<std::string, int> outcomes;

bool Seen(const char* condition, bool outcome) {
  outcomes[condition] |= outcome ? 2 : 1;
  return outcome;
}
#define SEEN(condition) Seen(#condition, condition)

SERIALIZE_TYPE(Choosy) {
  ADD(1, hp);
  ADD(1, armour);
  ADD(1, count);
  ADD(1, locked);
  ADD(1, kind);
  ADD(1, name);
  ADD(1, list);
  ADD(1, luck);
  ADD(1, either);
  ADD_CONDITIONAL(1, SEEN(d.hp > 0), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp < 0), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp != 0), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp == 3), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp > d.armour), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp == d.armour), extra);
  ADD_CONDITIONAL(1, SEEN(d.hp > 1000000), extra);
  ADD_CONDITIONAL(1, SEEN(d.count >= 2), extra);
  ADD_CONDITIONAL(1, SEEN(d.count & 4), extra);
  ADD_CONDITIONAL(1, SEEN(d.locked && d.hp >= 0), extra);
  ADD_CONDITIONAL(1, SEEN(d.kind == Kind::Bow), extra);
  ADD_CONDITIONAL(1, SEEN(d.kind != Kind::Staff || d.locked), extra);
  ADD_CONDITIONAL(1, SEEN(d.name.empty()), extra);
  ADD_CONDITIONAL(1, SEEN(d.name.size() > 4), extra);
  ADD_CONDITIONAL(1, SEEN(d.list.size() == 1), extra);
  ADD_CONDITIONAL(1, SEEN(d.list.size() > 2), extra);
  ADD_CONDITIONAL(1, SEEN(!d.list.empty() && d.list[0] < 0), extra);
  ADD_CONDITIONAL(1, SEEN(d.luck.has_value()), extra);
  ADD_CONDITIONAL(1, SEEN(d.luck.value_or(0) > 0.5F), extra);
  ADD_CONDITIONAL(1, SEEN(d.either.index() == 1), extra);
}
SERIALIZE_END

}  // namespace

TEST_CASE("fill: a seed always produces the same object", "[fill]") {
  const std::uint64_t pinned[] = {0x67ad6e6c9079293e, 0xa62480026c1b71a8, 0xdaa310a300b40773,
                                  0xb6385e2958beeda3, 0x0c37555f65676768, 0x0dd773ac2667c288,
                                  0x1d889d6b29529d86, 0x6dee39a24aea1589};
  for (std::uint64_t seed = 0; seed < std::size(pinned); ++seed) {
    revctl::Writer w(4);
    Serialize(w, revctl::Filled<Everything>(4, seed));
    INFO("seed " << seed);
    CHECK(revctl::Checksum(w.Bytes()) == pinned[seed]);
  }
}

TEST_CASE("fill: seeds produce both outcomes of each condition", "[fill]") {
  outcomes.clear();
  for (std::uint64_t seed = 0; seed < 64; ++seed) revctl::Filled<Choosy>(1, seed);
  CHECK(outcomes.size() == 20);
  for (const auto& [condition, seen] : outcomes) {
    INFO(condition);
    CHECK(seen == 3);
  }
}

TEST_CASE("fill: different seeds produce different objects", "[fill]") {
  CHECK_FALSE(revctl::Filled<Everything>(4, 0) == revctl::Filled<Everything>(4, 4));
}

TEST_CASE("fill: seeds cover alternatives, enumerators, bools, extremes", "[fill]") {
  std::set<std::size_t> alternatives;
  std::set<everything::Color> colors;
  std::set<bool> bools, present;
  bool negative = false, lowest = false, infinite = false, non_ascii = false, two = false;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Everything e = revctl::Filled<Everything>(4, seed);
    alternatives.insert(e.either.index());
    colors.insert(e.color);
    bools.insert(e.yes);
    present.insert(e.maybe.has_value());
    negative |= e.i32 < -1000;
    lowest |= e.i64 == std::numeric_limits<std::int64_t>::min() ||
              e.i32 == std::numeric_limits<std::int32_t>::min();
    infinite |= e.f32 > std::numeric_limits<float>::max() ||
                e.f64 > std::numeric_limits<double>::max() ||
                e.f32 < std::numeric_limits<float>::lowest() ||
                e.f64 < std::numeric_limits<double>::lowest();
    non_ascii |= e.text.find('\xC3') != std::string::npos;
    two |= e.numbers.size() >= 2 && e.numbers[0] != e.numbers[1];
  }
  CHECK(alternatives.size() == 3);
  CHECK(colors.size() == 3);
  CHECK(bools.size() == 2);
  CHECK(present.size() == 2);
  CHECK(negative);
  CHECK(lowest);
  CHECK(infinite);
  CHECK(non_ascii);
  CHECK(two);
}

TEST_CASE("fill: neighboring values never look alike in plain seeds", "[fill]") {
  const Everything e = revctl::Filled<Everything>(4, 0);
  CHECK(static_cast<std::int64_t>(e.i32) != static_cast<std::int64_t>(e.u32));
  const std::uint32_t u = e.u32;
  const std::uint32_t swapped = u << 24 | (u & 0xFF00) << 8 | (u >> 8 & 0xFF00) | u >> 24;
  CHECK(u != swapped);
}

namespace {

/// True if the bytes of `value` are a palindrome. Such a sample would hide a wrong byte order or a
/// shifted field.
template <class T>
bool ReadsTheSameBackwards(const T& value) {
  revctl::Writer w(1);
  Serialize(w, value);
  const std::vector<std::byte> bytes(w.Bytes().begin(), w.Bytes().end());
  return std::equal(bytes.begin(), bytes.end(), bytes.rbegin());
}

template <class T>
struct Holder {
  T value{};
};
SERIALIZE_TEMPLATE((class T), Holder<T>) { ADD(1, value); }
SERIALIZE_END

}  // namespace

TEMPLATE_TEST_CASE("fill: plain seeds produce asymmetric values of every leaf type", "[fill]",
                   std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, float, double, std::string, std::bitset<40>) {
  int same = 0;
  for (std::uint64_t seed = 0; seed < 4000; seed += 4) {
    if (ReadsTheSameBackwards(revctl::Filled<Holder<TestType>>(1, seed).value)) ++same;
  }
  CHECK(same == 0);
}

TEMPLATE_TEST_CASE("fill: plain seeds produce both signs and different neighbors", "[fill]",
                   std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double) {
  bool below = false, above = false;
  for (std::uint64_t seed = 0; seed < 64; seed += 4) {
    const auto pair = revctl::Filled<std::array<TestType, 2>>(1, seed);
    below |= pair[0] < 0;
    above |= pair[0] > 0;
    CHECK(pair[0] != 0);
  }
  CHECK(below);
  CHECK(above);
}
