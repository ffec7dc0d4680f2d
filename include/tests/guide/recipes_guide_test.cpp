#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <revctl/serialize.h>

// The code of docs/guide/recipes.md. It is at global scope in a separate program because its
// revision list differs from that of the other pages.
#include "recipes.md.inc"

namespace {

/// Reads the payload of an old save with the recipe's code.
template <class T>
T FromOldSave(std::initializer_list<int> payload) {
  std::vector<std::byte> bytes;
  for (const int byte : payload) bytes.push_back(static_cast<std::byte>(byte));
  revctl::Reader reader(bytes, SR_INITIAL);
  T value;
  Serialize(reader, value);
  INFO(reader.error().reason);
  REQUIRE(reader.AtEnd());
  return value;
}

/// Returns the payload that the recipe's code writes for builds at SR_INITIAL.
template <class T>
std::vector<std::byte> ForOldBuilds(const T& value) {
  revctl::Writer writer(SR_INITIAL);
  Serialize(writer, value);
  return {writer.Bytes().begin(), writer.Bytes().end()};
}

template <class T>
T ThroughOldBuild(const T& value) {
  const std::vector<std::byte> bytes = ForOldBuilds(value);
  revctl::Reader reader(bytes, SR_INITIAL);
  T back;
  Serialize(reader, back);
  REQUIRE(reader.AtEnd());
  return back;
}

}  // namespace

TEST_CASE("guide: recipes that add, remove and reorder fields load old saves", "[guide]") {
  const Hero hero = FromOldSave<Hero>({90, 0, 0, 0});
  CHECK(hero.health == 90);
  CHECK(hero.shield == 20);
  CHECK(FromOldSave<Lamp>({0, 0, 0, 0x40, 1, 2, 3, 4}).brightness == 2.0f);
  CHECK(ForOldBuilds(Lamp{2.0f}).size() == 8);
  const Room room = FromOldSave<Room>({7, 0, 5, 0});
  CHECK(room.width == 7);
  CHECK(room.height == 5);
}

TEST_CASE("guide: recipes that change a field's form convert old values", "[guide]") {
  CHECK(FromOldSave<Score>({0xfe, 0xff, 0xff, 0xff}).points == -2);
  CHECK(ThroughOldBuild(Score{-7}).points == -7);

  const Stopwatch watch = FromOldSave<Stopwatch>({0x62, 0x1b, 0, 0});  // 7,010 ms
  CHECK(watch.seconds == 7);
  CHECK(watch.millis == 10);
  CHECK(ThroughOldBuild(watch).millis == 10);

  CHECK(FromOldSave<Purse>({0, 0, 0, 0x80, 5, 0, 0, 0}).coins == 214748364805u);
  CHECK(ThroughOldBuild(Purse{1234}).coins == 1234);

  CHECK(FromOldSave<Animal>({0, 1}).abilities == kFlies);
  CHECK(ThroughOldBuild(Animal{kSwims}).abilities == kSwims);

  CHECK(ThroughOldBuild(Car{20.0f}).metersPerSecond == Approx(20.0f));
  CHECK(FromOldSave<Car>({0, 0, 0x90, 0x42}).metersPerSecond == Approx(20.0f));  // 72 km/h
}

TEST_CASE("guide: recipes that change a size or an enum load old saves", "[guide]") {
  const Belt belt = FromOldSave<Belt>({1, 0, 2, 0, 3, 0, 4, 0});
  CHECK(belt.slots == std::array<std::uint16_t, 6>{1, 2, 3, 4, 0, 0});
  CHECK(FromOldSave<Guard>({1}).weapon == Weapon::Bow);
}
