#include <catch2/catch.hpp>

#include "everything.h"

// Built with REVCTL_DETAIL_SWAP: the code that big-endian machines run, which here writes every value back to front.

static_assert(revctl::detail::kSwapBytes);

TEST_CASE("swapped: values are reversed, counts too, bytes are not", "[swap]") {
  revctl::Writer w(1);
  Serialize(w, std::uint32_t{0x01020304});
  Serialize(w, std::string("ab"));
  Serialize(w, std::vector<std::uint16_t>{0x0102});
  Serialize(w, everything::Vec3{1, 0, 0});
  const unsigned char expected[] = {1, 2, 3, 4, 0, 0, 0, 2, 'a', 'b', 0, 0, 0, 1, 1, 2, 0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  REQUIRE(w.Bytes().size() == sizeof expected);
  CHECK(std::memcmp(w.Bytes().data(), expected, sizeof expected) == 0);
}

TEST_CASE("swapped: no record is copied as an image", "[swap]") {
  static_assert(!revctl::detail::kImage<everything::Vec3, true> && revctl::detail::kFlat<everything::Vec3, true>);
  const std::vector<everything::Vec3> points{{1, 2, 3}, {4, 5, 6}};
  revctl::Writer w(1);
  Serialize(w, points);
  revctl::Reader r(w.Bytes(), 1);
  std::vector<everything::Vec3> back;
  Serialize(r, back);
  CHECK(r.AtEnd());
  CHECK(back == points);
}
