#include <revctl/serialize.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

// Tests that flat bodies are proven flat, and that bodies that depend on data never are.

namespace maths {

/// Types of a library that has no bodies for them.
struct Quat {
  float v[4] = {0, 0, 0, 1};
  bool operator==(const Quat&) const = default;
};
struct Percent {
  float share = 0;
  bool operator==(const Percent&) const = default;
};
struct Name {
  char letters[8] = {};
};
struct Odd {
  std::uint8_t n = 1;
};

}  // namespace maths

template <>
struct revctl::WireAs<maths::Quat> {
  using Type = std::array<float, 4>;
  static Type ToWire(const maths::Quat& q) { return {q.v[0], q.v[1], q.v[2], q.v[3]}; }
  static bool FromWire(const Type& wire, maths::Quat& q) {
    return std::copy(wire.begin(), wire.end(), q.v), true;
  }
};
template <>
struct revctl::WireAs<maths::Percent> {
  using Type = std::uint8_t;
  static Type ToWire(const maths::Percent& p) { return static_cast<Type>(p.share * 100); }
  static bool FromWire(Type wire, maths::Percent& p) {
    return p.share = static_cast<float>(wire) / 100, wire <= 100;
  }
};
template <>
struct revctl::WireAs<maths::Name> {
  using Type = std::string;
  static Type ToWire(const maths::Name& name) { return name.letters; }
  static bool FromWire(const Type& wire, maths::Name& name) {
    return wire.copy(name.letters, 7) == wire.size();
  }
};
/// Converts to a wire type of the same size. The conversion leaves both test patterns unchanged (0,
/// 1, 2... and its complement), so they cannot detect it.
template <>
struct revctl::WireAs<maths::Odd> {
  using Type = std::uint8_t;
  static constexpr Type ToWire(const maths::Odd& odd) { return odd.n; }
  static constexpr bool FromWire(Type wire, maths::Odd& odd) {
    return odd.n = wire == 7 ? Type{8} : wire, true;
  }
};

namespace {

using revctl::detail::kFlat;
using revctl::detail::kFlatSizes;
using revctl::detail::kImage;

/// If bytes must be swapped, no type is identical on the wire and in memory.
constexpr bool kLittleEndian = !revctl::detail::kSwapBytes;

enum class Team : std::uint8_t { Red, Blue };

struct Vec3 {
  float x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};
SERIALIZE_TYPE(Vec3) {
  ADD(0, x);
  ADD(0, y);
  ADD(0, z);
}
SERIALIZE_END

struct Good {
  std::uint32_t a = 7;
  bool c = true;
  Vec3 at;
  std::array<std::int16_t, 3> list{};
  Team teams[2] = {};
  Vec3 two[2];
  bool operator==(const Good& o) const {
    return a == o.a && c == o.c && at == o.at && list == o.list && teams[1] == o.teams[1] &&
           two[1] == o.two[1];
  }
};
SERIALIZE_TYPE(Good) {
  ADD(0, a);
  ADD(9, c);
  REM(3, 20, std::uint16_t, old, 5);
  ADD(2, at);
  ADD(0, list);
  if (r.revision > 4) Serialize(r, d.teams);
  ADD(30, two);
}
SERIALIZE_END

struct Image {
  std::uint64_t id = 0;
  Vec3 at;
  bool visible = false, frozen = true;
  std::uint16_t kind = 0;
  bool operator==(const Image&) const = default;
};
SERIALIZE_TYPE(Image) {
  ADD(0, id);
  ADD(1, at);
  ADD(0, visible);
  ADD(2, frozen);
  ADD(0, kind);
}
SERIALIZE_END

struct Turned {
  std::uint8_t kind = 0;
  maths::Quat rotation;
  maths::Percent health[2];
  bool operator==(const Turned&) const = default;
};
SERIALIZE_TYPE(Turned) {
  ADD(0, kind);
  ADD(2, rotation);
  ADD(0, health);
}
SERIALIZE_END

// ---- bodies that depend on data, each in a different way

struct Branch {
  std::uint32_t kind = 0;
  float a = 0, b = 0;
};
SERIALIZE_TYPE(Branch) {
  ADD(0, kind);
  if (d.kind == 1) ADD(0, a);
  else ADD(0, b);
}
SERIALIZE_END

struct Condition {
  std::uint32_t kind = 0;
  float a = 0;
};
SERIALIZE_TYPE(Condition) {
  ADD(0, kind);
  ADD_CONDITIONAL(0, d.kind != 0, a);
}
SERIALIZE_END

struct Fixup {
  std::uint32_t a = 0, b = 0;
};
SERIALIZE_TYPE(Fixup) {
  ADD(0, a);
  if (r.revision < 99) d.b = d.a * 2;
}
SERIALIZE_END

struct Loop {
  std::uint8_t n = 0;
  std::uint8_t v[4] = {};
};
SERIALIZE_TYPE(Loop) {
  ADD(0, n);
  for (int i = 0; i < d.n && i < 4; ++i) ADD(0, v[i]);
}
SERIALIZE_END

struct Upgrade {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Upgrade) {
  ADD(0, hp);
  REM(0, 5, std::int32_t, armour, 3);
  if (r.IsReading()) d.hp += armour;
}
SERIALIZE_END

struct ThroughPointer {
  std::int32_t a = 1, b = 0;
};
SERIALIZE_TYPE(ThroughPointer) {
  ADD(0, a);
  if (t->a == 1) ADD(0, b);
}
SERIALIZE_END

int asked = 0;
struct Global {
  std::int32_t a = 0;
};
SERIALIZE_TYPE(Global) {
  ADD(0, a);
  if (asked++ > 3) r.Fail("often enough");
}
SERIALIZE_END

// This body assigns a constant to a field before visiting it. Reading replaces the constant, but
// g++ still treats the value as known.
struct ResetField {
  std::uint8_t n = 0;
  std::uint32_t x = 0;
  bool operator==(const ResetField&) const = default;
};
SERIALIZE_TYPE(ResetField) {
  if (r.IsReading()) d.n = 0;
  ADD(0, n);
  if (d.n != 0) ADD(0, x);
}
SERIALIZE_END

struct ResetSwitch {
  std::uint8_t kind = 0;
  std::uint32_t hp = 0;
};
SERIALIZE_TYPE(ResetSwitch) {
  if (r.IsReading()) d.kind = 0;
  ADD(3, kind);
  switch (d.kind) {
    case 0:
      break;
    default:
      ADD(1, hp);
  }
}
SERIALIZE_END

struct ResetCondition {
  std::uint8_t on = 0;
  std::uint32_t hp = 0;
};
SERIALIZE_TYPE(ResetCondition) {
  if (r.IsReading()) d.on = 0;
  ADD(1, on);
  ADD_CONDITIONAL(1, d.on != 0, hp);
}
SERIALIZE_END

struct ResetWhole {
  std::uint8_t on = 0;
  std::uint32_t hp = 0;
};
SERIALIZE_TYPE(ResetWhole) {
  if (r.IsReading()) d = {};
  ADD(1, on);
  ADD_CONDITIONAL(1, d.on != 0, hp);
}
SERIALIZE_END

struct ResetElement {
  std::array<std::uint8_t, 3> a{};
  Vec3 v[2];
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(ResetElement) {
  if (r.IsReading()) d.a[1] = 0;
  if (r.IsReading()) d.v[1].x = 0;
  if (r.revision < 5) ADD(1, a);
  else ADD(1, v);
  if (r.revision < 5 ? d.a[1] != 0 : d.v[1].x > 0) ADD(1, x);
}
SERIALIZE_END

struct ResetConverted {
  maths::Quat q;
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(ResetConverted) {
  if (r.IsReading()) d.q = {};
  ADD(1, q);
  if (d.q == maths::Quat{}) ADD(1, x);
}
SERIALIZE_END

struct LooksAtLocal {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtLocal) {
  Vec3 local[2] = {};
  Serialize(r, local);
  if (r.IsReading() && local[1].y > 0) ADD(0, x);
}
SERIALIZE_END

struct LooksAtLocalArray {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtLocalArray) {
  std::array<Vec3, 2> local = {};
  Serialize(r, local);
  if (r.IsReading() && local[1].y > 0) ADD(0, x);
}
SERIALIZE_END

struct LooksAtPartOfLocal {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtPartOfLocal) {
  struct {
    std::uint32_t before = 0;
    std::array<Vec3, 2> list = {};
  } local;
  Serialize(r, local.list);
  if (local.list[0].z != 0) ADD(0, x);
}
SERIALIZE_END

struct LooksAtConverted {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtConverted) {
  maths::Quat local;
  Serialize(r, local);
  if (local.v[2] != 0) ADD(0, x);
}
SERIALIZE_END

struct LooksAtHalfMade {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtHalfMade) {
  std::array<std::uint32_t, 2> local;
  local[1] = 0;
  Serialize(r, local);
  if (r.IsReading() && local[1] != 0) ADD(0, x);
}
SERIALIZE_END

struct LooksAtRemAgain {
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(LooksAtRemAgain) {
  REM(0, 9, std::uint32_t, old, 0);
  if (r.IsReading()) old = 0;
  Serialize(r, old);
  if (r.IsReading() && old != 0) ADD(0, x);
}
SERIALIZE_END

/// A type whose body assigns a constant to an element so far into an array that the compiler cannot
/// check all elements in reasonable time.
struct ResetFarElement {
  std::array<std::uint8_t, 4000> a{};
  Vec3 v[40];
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(ResetFarElement) {
  if (r.IsReading()) d.a[3000] = 0;
  if (r.IsReading()) d.v[30].x = 0;
  if (r.revision < 5) ADD(1, a);
  else ADD(1, v);
  if (r.revision < 5 ? d.a[3000] != 0 : d.v[30].x > 0) ADD(1, x);
}
SERIALIZE_END

struct ResetPart {
  maths::Quat q;
  std::uint32_t x = 0;
};
SERIALIZE_TYPE(ResetPart) {
  if (r.IsReading()) d.q.v[3] = 0;
  ADD(1, q);
  if (d.q.v[3] != 0) ADD(1, x);
}
SERIALIZE_END

// Types whose body compares the object's address. The wire format must not depend on an address, so
// they are not flat.
template <int way>
struct Placed {
  std::uint32_t a = 0, b = 0;
  Vec3 v[2];
};
template <int way>
Placed<way> first_of_all;
SERIALIZE_TEMPLATE((int way), Placed<way>) {
  ADD(0, a);
  const Placed<way>& first = first_of_all<way>;
  if constexpr (way == 0) {
    if (t == &first) ADD(0, b);
  }
  if constexpr (way == 1) {
    if (&d.b != &first.b) ADD(0, b);
  }
  if constexpr (way == 2) {
    if (static_cast<const void*>(&d.v[1]) == &first) ADD(0, b);
  }
  if constexpr (way == 3) {
    REM(0, 9, Vec3, one, {});
    REM(0, 9, Vec3, two, {});
    if (&one == &two) ADD(0, b);
  }
  if constexpr (way == 4) {
    const int local = 0;
    if (static_cast<const void*>(&d) == &local) ADD(0, b);
  }
}
SERIALIZE_END

#ifdef __clang__
struct TwoFaced {
  std::uint32_t a = 0, b = 0;
};
SERIALIZE_TYPE(TwoFaced) {
  ADD(0, a);
  if (std::is_constant_evaluated() || d.a != 0) ADD(0, b);
}
SERIALIZE_END

struct Brazen {
  std::uint32_t a = 0, b = 0;
};
SERIALIZE_TYPE(Brazen) {
  ADD(0, a);
  if (__builtin_is_constant_evaluated()) ADD(0, b);
}
SERIALIZE_END
#endif

struct Refuser {
  std::int32_t a = 0;
};
SERIALIZE_TYPE(Refuser) {
  ADD(0, a);
  if (d.a < 0) r.Fail("negative");
}
SERIALIZE_END

struct Counter {
  std::int32_t a = 0;
};
SERIALIZE_TYPE(Counter) {
  ADD(0, a);
  CHECK_INTEGRITY(0);
}
SERIALIZE_END

struct Text {
  std::string a;
};
SERIALIZE_TYPE(Text) { ADD(0, a); }
SERIALIZE_END

struct ByNumber {
  std::int32_t a = 0;
};
SERIALIZE_TYPE(ByNumber) {
  if (r.revision.number() % 2 == 0) ADD(0, a);
}
SERIALIZE_END

struct HasBranch {
  Branch inner;
};
SERIALIZE_TYPE(HasBranch) { ADD(0, inner); }
SERIALIZE_END

/// A type whose body overwrites a field with a constant after reading it. The type is flat, but its
/// wire format differs from its in-memory representation.
struct Constant {
  std::uint32_t a = 0, b = 0;
  bool operator==(const Constant&) const = default;
};
SERIALIZE_TYPE(Constant) {
  ADD(0, a);
  ADD(0, b);
  if (r.IsReading()) d.b = 0x07060504;
}
SERIALIZE_END

/// A type whose body depends on data when reading, but not when writing.
struct OneWay {
  std::uint32_t a = 0, b = 0;
};
SERIALIZE_TYPE(OneWay) {
  ADD(0, a);
  ADD(0, b);
  if (r.IsReading() && d.a > 5) d.b = 0;
}
SERIALIZE_END

struct Swapped {
  std::uint32_t a = 0, b = 0;
  bool operator==(const Swapped&) const = default;
};
SERIALIZE_TYPE(Swapped) {
  ADD(0, b);
  ADD(0, a);
}
SERIALIZE_END

/// A type with so many revision thresholds that vectors of it have no specialized loop for each old
/// revision.
struct Restless {
  std::uint8_t v[20] = {};
  bool operator==(const Restless&) const = default;
};
SERIALIZE_TYPE(Restless) {
  ADD(0, v[0]);
  ADD(1, v[1]);
  ADD(2, v[2]);
  ADD(3, v[3]);
  ADD(4, v[4]);
  ADD(5, v[5]);
  ADD(6, v[6]);
  ADD(7, v[7]);
  ADD(8, v[8]);
  ADD(9, v[9]);
  ADD(10, v[10]);
  ADD(11, v[11]);
  ADD(12, v[12]);
  ADD(13, v[13]);
  ADD(14, v[14]);
  ADD(15, v[15]);
  ADD(16, v[16]);
  ADD(17, v[17]);
  ADD(18, v[18]);
  ADD(19, v[19]);
}
SERIALIZE_END

template <class T>
std::vector<std::byte> Write(const T& value, std::int64_t at) {
  revctl::Writer w(at);
  Serialize(w, value);
  REQUIRE(w.Ok());
  return {w.Bytes().begin(), w.Bytes().end()};
}

/// Checks that the fast path for vectors of flat elements produces the same bytes and values as a
/// trace, which visits each value.
template <class T>
void FastIsSlow(const std::vector<T>& values, std::int64_t at) {
  const auto bytes = Write(values, at);
  revctl::TraceWriter slow(at);
  Serialize(slow, values);
  REQUIRE(std::equal(bytes.begin(), bytes.end(), slow.Bytes().begin(), slow.Bytes().end()));
  revctl::Reader r(bytes, at);
  std::vector<T> fast_values;
  Serialize(r, fast_values);
  REQUIRE(r.AtEnd());
  revctl::TraceReader slow_reader(bytes, at);
  std::vector<T> slow_values;
  Serialize(slow_reader, slow_values);
  REQUIRE(fast_values == slow_values);
}

}  // namespace

TEST_CASE("flat: bodies that only visit fields are proven for reading and writing", "[flat]") {
  static_assert(kFlat<Vec3, true> && kFlat<Vec3, false>);
  static_assert(kFlat<Good, true> && kFlat<Good, false>);
  static_assert(kLittleEndian ==
                (kImage<Vec3, true> && kImage<Image, true> && kImage<Image, false>));
  static_assert(!kImage<Good, true>);
  static_assert(!kImage<Swapped, true>);
  static_assert(kFlat<Swapped, true>);
}

TEST_CASE("flat: types whose WireAs type is flat are flat", "[flat]") {
  static_assert(kFlat<maths::Quat, true> && kFlat<maths::Quat, false>);
  static_assert(kFlat<Turned, true> && kFlat<Turned, false>);
  static_assert(kFlatSizes<Turned, true>.At(1) == 3 && kFlatSizes<Turned, true>.At(2) == 19);
  static_assert(!kFlat<maths::Name, true> && !kFlat<maths::Name, false>);
  static_assert(kFlat<maths::Odd, true> && !kImage<maths::Odd, true> && !kImage<maths::Odd, false>);
  for (const std::int64_t at : {1, 2}) {
    FastIsSlow(std::vector<Turned>{{1, {}, {{0.25F}, {1}}}, {2, {}, {}}}, at);
    FastIsSlow(std::vector<Turned>(3000), at);
  }
  FastIsSlow(std::vector<maths::Quat>{{{1, 2, 3, 4}}, {{5, 6, 7, 8}}}, 2);
  const auto odd = Write(std::vector<std::uint8_t>{7}, 1);
  revctl::Reader r(odd, 1);
  std::vector<maths::Odd> values;
  Serialize(r, values);
  CHECK(values.at(0).n == 8);
}

TEST_CASE("flat: every read path reports a rejection by a conversion", "[flat]") {
  for (const std::int64_t at : {1, 2}) {
    auto bytes = Write(std::vector<Turned>(3), at);
    bytes[bytes.size() - 1] = std::byte{101};
    revctl::Reader many(bytes, at);
    std::vector<Turned> values;
    Serialize(many, values);
    CHECK(many.error().path == "vector<Turned>[2].health[1]");
    CHECK(many.error().reason == "the type's WireAs conversion rejects the value");
    CHECK(many.error().refused);
    CHECK(values.empty());
    revctl::Reader one(std::span<const std::byte>(bytes).last(at == 1 ? 3 : 19), at);
    Turned value;
    Serialize(one, value);
    CHECK(one.error().path == "Turned.health[1]");
    CHECK(one.error().refused);
  }
}

TEST_CASE("flat: bodies that depend on data are not flat", "[flat]") {
  static_assert(!kFlat<Branch, true> && !kFlat<Branch, false>);
  static_assert(!kFlat<Condition, true> && !kFlat<Condition, false>);
  static_assert(!kFlat<Fixup, true> && !kFlat<Fixup, false>);
  static_assert(!kFlat<Loop, true> && !kFlat<Loop, false>);
  static_assert(!kFlat<Upgrade, true> && kFlat<Upgrade, false>);
  static_assert(!kFlat<ThroughPointer, true>);
  static_assert(!kFlat<Global, true>);
  static_assert(!kFlat<Refuser, true>);
  static_assert(!kFlat<Counter, true>);
  static_assert(!kFlat<Text, true>);
  static_assert(!kFlat<ByNumber, true>);
  static_assert(!kFlat<HasBranch, true>);
  static_assert(!kFlat<OneWay, true> && kFlat<OneWay, false>);
  static_assert(!kImage<Constant, true>);
  static_assert(!kFlat<Constant, true> && kFlat<Constant, false>);
}

TEST_CASE("flat: a local variable of the body proves nothing about reading", "[flat]") {
  static_assert(!kFlat<LooksAtLocal, true> && !kFlat<LooksAtLocalArray, true> &&
                !kFlat<LooksAtPartOfLocal, true>);
  static_assert(!kFlat<LooksAtConverted, true> && !kFlat<LooksAtHalfMade, true> &&
                !kFlat<LooksAtRemAgain, true>);
  // Two elements with different lengths, because the length depends on the element's data.
  const std::uint32_t zeros[6] = {}, ones[7] = {0, 0, 0, 0, 0x3F800000, 0, 77};
  std::vector<std::byte> bytes(4 + sizeof zeros + sizeof ones);
  bytes[0] = std::byte{2};
  revctl::detail::CopyValues<std::uint32_t>(bytes.data() + 4, zeros, std::size(zeros));
  revctl::detail::CopyValues<std::uint32_t>(bytes.data() + 4 + sizeof zeros, ones, std::size(ones));
  revctl::Reader r(bytes, 1);
  std::vector<LooksAtLocalArray> values;
  Serialize(r, values);
  REQUIRE(r.AtEnd());
  CHECK(values.at(1).x == 77);
}

TEST_CASE("flat: the address of an object proves nothing", "[flat]") {
  static_assert(!kFlat<Placed<0>, true> && !kFlat<Placed<0>, false> && !kFlat<Placed<1>, true> &&
                !kFlat<Placed<2>, true>);
  static_assert(!kFlat<Placed<3>, true> && !kFlat<Placed<4>, true>);
  static_assert(kFlat<Placed<5>, true> && kFlat<Placed<5>, false>);
}

#ifdef __clang__
TEST_CASE("flat: a body that behaves differently during the proof is not flat", "[flat]") {
  static_assert(!kFlat<TwoFaced, true> && !kFlat<TwoFaced, false> && !kFlat<Brazen, true> &&
                !kFlat<Brazen, false>);
}
#endif

TEST_CASE("flat: a constant written before the visit proves nothing", "[flat]") {
  static_assert(!kFlat<ResetField, true> && !kFlat<ResetSwitch, true> &&
                !kFlat<ResetCondition, true>);
  static_assert(!kFlat<ResetWhole, true> && !kFlat<ResetElement, true> &&
                !kFlat<ResetConverted, true>);
  static_assert(!kFlat<ResetFarElement, true> && !kFlat<ResetPart, true>);
  const std::vector<ResetField> fields{{0, 7}, {1, 8}};
  const auto bytes = Write(fields, 1);
  REQUIRE(bytes.size() == 4 + 1 + 5);
  FastIsSlow(fields, 1);
  // The length of each element depends on its data, so the reader must check for each element that
  // it does not read beyond the end.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    revctl::Reader r(cut, 1);
    std::vector<ResetField> values;
    Serialize(r, values);
    CHECK_FALSE(r.Ok());
  }
}

TEST_CASE("flat: sizes at every revision are found without a list", "[flat]") {
  constexpr const auto& sizes = kFlatSizes<Good, true>;
  static_assert(sizes.Newest() == 30);
  static_assert(sizes.At(-1) == 0 && sizes.At(0) == 4 + 6 && sizes.At(2) == 22 &&
                sizes.At(3) == 24);
  static_assert(sizes.At(4) == 24 && sizes.At(5) == 26 && sizes.At(9) == 27 && sizes.At(20) == 25 &&
                sizes.At(30) == 49);
  for (std::int64_t at = -2; at < 34; ++at) {
    Good good;
    good.a = 5;
    CHECK(Write(good, at).size() == sizes.At(at));
    FastIsSlow(std::vector<Good>{good, {}, good}, at);
    FastIsSlow(std::vector<Image>{{1, {1, 2, 3}, true, false, 7}, {}}, at);
    FastIsSlow(std::vector<Constant>{{1, 2}, {3, 4}}, at);
    FastIsSlow(std::vector<Swapped>{{1, 2}, {3, 4}}, at);
    FastIsSlow(std::vector<Restless>{{{1, 2, 3}}, {{4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                                    14, 15, 16, 17, 18, 19, 20, 21, 22, 23}}},
               at);
  }
  // Use enough elements to trigger prefetching.
  for (const std::int64_t at : {3, 40}) {
    FastIsSlow(std::vector<Good>(3000), at);
    FastIsSlow(std::vector<Image>(5000, Image{9, {1, 2, 3}, true, false, 7}), at);
  }
}

namespace {

/// A type that reads a handle unchanged but writes it as 0, because handles are meaningless in a
/// later run.
struct Handle {
  std::uint32_t id = 1, handle = 77;
};
SERIALIZE_TYPE(Handle) {
  ADD(1, id);
  if (r.IsWriting()) {
    std::uint32_t none = 0;
    Serialize(r, none);
  } else {
    Serialize(r, d.handle);
  }
}
SERIALIZE_END
/// A type that swaps its fields only when writing.
struct Reversed {
  std::uint32_t a = 1, b = 2;
};
SERIALIZE_TYPE(Reversed) {
  Serialize(r, r.IsWriting() ? d.b : d.a);
  Serialize(r, r.IsWriting() ? d.a : d.b);
}
SERIALIZE_END

/// A type whose bools are in a different order on the wire than in memory: two neighbors are
/// swapped, or the first and the third.
struct Door {
  bool open = false, locked = true;
  std::uint16_t room = 7;
  std::uint32_t hits = 9;
  bool operator==(const Door&) const = default;
};
SERIALIZE_TYPE(Door) {
  ADD(1, locked);
  ADD(1, open);
  ADD(1, room);
  ADD(1, hits);
}
SERIALIZE_END
struct Gate {
  std::uint32_t room = 7;
  bool open = false, locked = false, barred = true, lit = false;
  bool operator==(const Gate&) const = default;
};
SERIALIZE_TYPE(Gate) {
  ADD(1, room);
  ADD(1, barred);
  ADD(1, locked);
  ADD(1, open);
  ADD(1, lit);
}
SERIALIZE_END

}  // namespace

TEST_CASE("flat: bools in a different order are not copied from memory", "[flat]") {
  static_assert(kFlat<Door, true> && !kImage<Door, true> && !kImage<Door, false>);
  static_assert(kFlat<Gate, true> && !kImage<Gate, true> && !kImage<Gate, false>);
  static_assert(kImage<Image, true> == kLittleEndian);
  FastIsSlow(std::vector<Door>(3), 40);
  FastIsSlow(std::vector<Gate>(3), 40);
  const auto gate = Write(Gate(), 40);
  revctl::Reader r(gate, 40);
  Gate again{0, true, true, false, true};
  Serialize(r, again);
  CHECK(again == Gate());
  CHECK(gate == std::vector<std::byte>{std::byte{7}, {}, {}, {}, std::byte{1}, {}, {}, {}});
}

TEST_CASE("flat: objects are not copied if the body writes and reads differently", "[flat]") {
  static_assert(kFlat<Handle, false> && kImage<Handle, true> == kLittleEndian &&
                !kImage<Handle, false>);
  static_assert(kFlat<Reversed, false> && kImage<Reversed, true> == kLittleEndian &&
                !kImage<Reversed, false>);
  using Words = std::array<std::uint32_t, 4>;
  const auto words = [](const std::vector<std::byte>& bytes) {
    Words out{};
    revctl::detail::CopyValues<std::uint32_t>(out.data(), bytes.data() + bytes.size() % 8,
                                              bytes.size() / 8 * 2);
    return out;
  };
  CHECK(words(Write(Handle(), 40)) == Words{1, 0});
  CHECK(words(Write(std::vector<Handle>(2), 40)) == Words{1, 0, 1, 0});
  CHECK(words(Write(Reversed(), 40)) == Words{2, 1});
  CHECK(words(Write(std::vector<Reversed>(2), 40)) == Words{2, 1, 2, 1});
}

TEST_CASE("flat: a constant that the body writes survives", "[flat]") {
  const auto bytes = Write(std::vector<Constant>{{1, 2}}, 0);
  revctl::Reader again(bytes, 0);
  std::vector<Constant> values;
  Serialize(again, values);
  CHECK(values[0].b == 0x07060504);
}

TEST_CASE("flat: every read path detects a bool that is neither 0 nor 1", "[flat]") {
  for (const std::int64_t at : {1, 2, 12, 40}) {
    auto image = Write(std::vector<Image>(3), at);
    const std::size_t bool_at = 4 + 8 + 12 + (image.size() - 4) / 3;
    REQUIRE(static_cast<unsigned>(image[bool_at]) == 0);
    image[bool_at] = std::byte{2};
    revctl::Reader r(image, at);
    std::vector<Image> values;
    Serialize(r, values);
    CHECK(r.error().path == "vector<Image>[1].visible");
    CHECK(r.error().offset == bool_at);
    CHECK(values.empty());
  }
  Good good;
  for (const std::int64_t at : {9, 40}) {
    auto bytes = Write(good, at);
    bytes[4] = std::byte{3};
    revctl::Reader r(bytes, at);
    Serialize(r, good);
    CHECK(r.error().path == "Good.c");
  }
}

TEST_CASE("flat: errors in truncated vectors name the element", "[flat]") {
  const auto bytes = Write(std::vector<Good>(3), 40);
  revctl::Reader r(std::span<const std::byte>(bytes).first(4 + 49 + 2), 40);
  std::vector<Good> values;
  Serialize(r, values);
  CHECK(r.error().path == "vector<Good>[1].a");
  CHECK(values.empty());
}
