#include "golden/held_version.h"

#include <catch2/catch.hpp>
#include <initializer_list>

namespace revctl::golden {
namespace {

std::vector<std::byte> Bytes(std::initializer_list<int> numbers) {
  std::vector<std::byte> bytes;
  for (const int number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

}  // namespace

TEST_CASE("held version: the place explains all differences", "[golden][held_version]") {
  const auto find = [](std::initializer_list<int> then, std::int64_t then_number,
                       std::initializer_list<int> now, std::int64_t now_number) {
    return FindHeldVersion(Bytes(then), then_number, Bytes(now), now_number);
  };
  using Places = std::vector<HeldVersion>;
  const Places narrow = find({9, 5, 0, 0, 0, 1}, 5, {9, 7, 0, 0, 0, 1}, 7);
  REQUIRE_FALSE(narrow.empty());
  CHECK(narrow.front() == HeldVersion{"", 1, 1, false});
  CHECK(find({9, 255, 0, 8}, 255, {9, 0, 1, 8}, 256) == Places{{"", 1, 2, false}});
  CHECK(find({0, 255, 8}, 255, {1, 0, 8}, 256) == Places{{"", 0, 2, true}});
  CHECK(find({3, 0, 0, 0, 0, 0, 0, 0x80}, 3, {4, 0, 0, 0, 0, 0, 0, 0x80}, 4).front() ==
        HeldVersion{"", 0, 1, false});
  // No position may be found if the numbers are wrong, another byte differs, the sizes differ, or
  // the payloads are equal.
  CHECK(find({9, 5, 1}, 5, {9, 7, 1}, 8).empty());
  CHECK(find({9, 5, 1}, 6, {9, 7, 1}, 7).empty());
  CHECK(find({9, 5, 1}, 5, {9, 7, 2}, 7).empty());
  CHECK(find({9, 5, 1}, 5, {9, 7, 1, 0}, 7).empty());
  CHECK(find({9, 5, 1}, 5, {9, 5, 1}, 5).empty());
  CHECK(find({}, 5, {}, 7).empty());
  CHECK(find({5}, 5, {7}, 7) == Places{{"", 0, 1, false}});
}

TEST_CASE("held version: replaces the number in a payload", "[golden][held_version]") {
  const HeldVersion little{"", 1, 2, false}, big{"", 1, 2, true};
  CHECK(WithVersion(little, Bytes({9, 1, 0, 9}), 258) == Bytes({9, 2, 1, 9}));
  CHECK(WithVersion(big, Bytes({9, 0, 1, 9}), 258) == Bytes({9, 1, 2, 9}));
  CHECK(Holds(little, Bytes({9, 2, 1, 9}), 258));
  CHECK_FALSE(Holds(little, Bytes({9, 2, 1, 9}), 2));
  CHECK_FALSE(Holds(little, Bytes({9, 2}), 2));
  CHECK_FALSE(Holds({"", ~std::uint64_t{0}, 2, false}, Bytes({9, 2, 0}), 2));
  CHECK_FALSE(Holds({"", 0, 1, false}, Bytes({2}), 258));
  CHECK_FALSE(Holds({"", 0, 1, false}, Bytes({0xFF}), -1));
  CHECK(Fits({"", 0, 1, false}, 255));
  CHECK_FALSE(Fits({"", 0, 1, false}, 256));
  CHECK_FALSE(Fits({"", 0, 8, false}, -1));
}

}  // namespace revctl::golden
