#include <catch2/catch.hpp>
#include <cstddef>

#include "history.h"

namespace {

using namespace voxel;
using revctl::detail::plain_table;
using revctl::detail::PlainExtentAt;
using revctl::detail::PlainFind;
using revctl::detail::PlainLayout;
using revctl::detail::PlainLayouts;
using revctl::detail::PlainOffsetAt;

/// Returns the offset of a field at `revision`, computed in two ways that must agree.
template <class T>
std::size_t Offset(const char* name, int revision) {
  const int field = PlainFind<T>(name, revision);
  REQUIRE(field >= 0);
  const std::size_t offset = PlainOffsetAt(plain_table<T>, field, revision);
  PlainLayouts layouts;
  const auto* place = layouts.At(plain_table<T>, revision).Find(field);
  REQUIRE(place != nullptr);
  CHECK(place->offset == offset);
  return offset;
}

template <class T, class Old>
void CheckExtent(int revision) {
  CHECK(revctl::PlainSize<T>(revision) == sizeof(Old));
  CHECK(PlainExtentAt(plain_table<T>, revision).align == alignof(Old));
  PlainLayouts layouts;
  CHECK(layouts.At(plain_table<T>, revision).size == sizeof(Old));
  CHECK(layouts.At(plain_table<T>, revision).align == alignof(Old));
}

#define CHECK_OFFSET(Old, revision, name) \
  CHECK(Offset<World>(#name, revision) == offsetof(Old::World, name))
#define CHECK_DOOR_OFFSET(Old, revision, name) \
  CHECK(Offset<Door>(#name, revision) == offsetof(Old::Door, name))

#define CHECK_WORLD(Old, revision)            \
  do {                                        \
    INFO("revision " << (revision));          \
    CheckExtent<World, Old::World>(revision); \
    CheckExtent<Door, Old::Door>(revision);   \
    CheckExtent<Box, Old::Box>(revision);     \
    CHECK_OFFSET(Old, revision, seed);        \
    CHECK_OFFSET(Old, revision, doors);       \
    CHECK_OFFSET(Old, revision, cells);       \
    CHECK_OFFSET(Old, revision, bounds);      \
    CHECK_OFFSET(Old, revision, speed);       \
    CHECK_OFFSET(Old, revision, grid);        \
    CHECK_OFFSET(Old, revision, frozen);      \
    CHECK_DOOR_OFFSET(Old, revision, room);   \
    CHECK_DOOR_OFFSET(Old, revision, hp);     \
  } while (false)

}  // namespace

TEST_CASE("plain: layouts at every revision match the compiler's", "[plain][layout]") {
  CHECK_WORLD(v1, 1);
  CHECK_OFFSET(v1, 1, light);
  CHECK_DOOR_OFFSET(v1, 1, open);
  CHECK_DOOR_OFFSET(v1, 1, lit);
  CHECK_WORLD(v2, 2);
  CHECK_DOOR_OFFSET(v2, 2, angle);
  CHECK_DOOR_OFFSET(v2, 2, lit);
  CHECK_DOOR_OFFSET(v2, 2, locked);
  CHECK_WORLD(v3, 3);
  CHECK_OFFSET(v3, 3, light);
  CHECK_DOOR_OFFSET(v3, 3, locked);
  CHECK_WORLD(v4, 4);
  CHECK_OFFSET(v4, 4, tags);
  CHECK_WORLD(v5, 5);
  CHECK_OFFSET(v5, 5, light);
  CHECK_WORLD(v6, 6);
  CHECK_WORLD(v6, 7);
  CHECK_WORLD(v6, 8);
  CHECK_WORLD(v9, 9);
  CHECK_WORLD(v9, 1000);
  CHECK_DOOR_OFFSET(v9, 9, flags);
  CHECK_WORLD(voxel, 9);
}

TEST_CASE("plain: a struct has no size before its first field", "[plain][layout]") {
  CHECK(revctl::PlainSize<World>(0) == 0);
  CHECK(revctl::PlainSize<World>(-5) == 0);
}

TEST_CASE("plain: revisions without a change share one layout", "[plain][layout]") {
  PlainLayouts layouts;
  const PlainLayout& six = layouts.At(plain_table<World>, 6);
  CHECK(&layouts.At(plain_table<World>, 8) == &six);
  CHECK(&layouts.At(plain_table<World>, 9) != &six);
  CHECK(&layouts.Today(plain_table<World>) == &layouts.At(plain_table<World>, 9));
}

namespace {

struct alignas(16) Quad {
  float lanes[4];
};

}  // namespace

template <>
struct revctl::PlainValues<Quad> {
  using Element = float;
  static constexpr std::size_t count = 4;
};

namespace {

enum class Wide : std::int64_t { Least = -128, None = 0, Big = 255 };
using Pair = std::array<std::array<std::uint8_t, 3>, 2>;

struct Kinds {
  PLAIN(Kinds);
  FIELD(char, c, 1);
  FIELD(Quad, quad, 1);
  FIELD(bool, b, 1);
  FIELD(Wide, wide, 1) = Wide::None;
  FIELD(std::array<std::array<std::uint8_t, 3>, 2>, bytes, 1);  // a type that contains commas
  DEAD(std::array<std::array<std::int64_t, 3>, 2>, longs, 1, 2);
  FIELD(Quad[2], quads, 1);
  FIELD(std::uint16_t, letter, 2) = 120;
  FIELD(float[2][3][1][2], deep, 1);
};
static_assert(revctl::plain_fits<Kinds>);

struct Kinds1 {
  char c;
  Quad quad;
  bool b;
  Wide wide;
  Pair bytes;
  std::array<std::array<std::int64_t, 3>, 2> longs;
  Quad quads[2];
  float deep[2][3][1][2];
};

}  // namespace

TEST_CASE("plain: over-aligned values, nested arrays, every width", "[plain][layout]") {
  CheckExtent<Kinds, Kinds1>(1);
  CHECK(Offset<Kinds>("quad", 1) == offsetof(Kinds1, quad));
  CHECK(Offset<Kinds>("wide", 1) == offsetof(Kinds1, wide));
  CHECK(Offset<Kinds>("bytes", 1) == offsetof(Kinds1, bytes));
  CHECK(Offset<Kinds>("longs", 1) == offsetof(Kinds1, longs));
  CHECK(Offset<Kinds>("quads", 1) == offsetof(Kinds1, quads));
  CHECK(Offset<Kinds>("deep", 1) == offsetof(Kinds1, deep));
  CHECK(Offset<Kinds>("deep", 2) == offsetof(Kinds, deep));
}
