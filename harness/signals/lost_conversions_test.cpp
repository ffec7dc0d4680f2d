// GH005 must report WireAs conversions that lose part of the object.
#include <catch2/catch.hpp>
#include <chrono>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

enum class Terrain : std::int32_t { Grass = 0, Lava = 999 };
struct Ticks {
  std::int32_t n = 0;
};
struct Angle {
  float degrees = 0;
};
using Milliseconds = std::chrono::duration<std::int32_t, std::milli>;

}  // namespace

template <>
struct revctl::WireAs<Terrain> {
  using Type = std::uint8_t;
  static Type ToWire(Terrain terrain) { return static_cast<Type>(terrain); }
  static bool FromWire(Type wire, Terrain& terrain) {
    terrain = static_cast<Terrain>(wire);
    return true;
  }
};
template <>
struct revctl::WireAs<Ticks> {
  using Type = std::int16_t;
  static Type ToWire(Ticks ticks) { return static_cast<Type>(ticks.n / 10); }
  static bool FromWire(Type wire, Ticks& ticks) {
    ticks.n = wire * 10;
    return true;
  }
};
template <>
struct revctl::WireAs<Angle> {
  using Type = std::int16_t;
  static Type ToWire(Angle angle) { return static_cast<Type>(angle.degrees); }
  static bool FromWire(Type wire, Angle& angle) {
    angle.degrees = wire;
    return true;
  }
};
template <>
struct revctl::WireAs<Milliseconds> {
  using Type = std::int16_t;
  static Type ToWire(Milliseconds time) { return static_cast<Type>(time.count() / 1000); }
  static bool FromWire(Type wire, Milliseconds& time) {
    time = Milliseconds(wire * 1000);
    return true;
  }
};

namespace {

struct Level {
  std::vector<Terrain> tiles;
  Ticks ticks;
  Angle angle;
  Milliseconds time{0};
};
SERIALIZE_TYPE(Level) {
  ADD(SR_INITIAL, tiles);
  ADD(SR_INITIAL, ticks);
  ADD(SR_INITIAL, angle);
  ADD(SR_INITIAL, time);
}
SERIALIZE_END

struct Start {
  Terrain terrain = Terrain::Lava;
};
SERIALIZE_TYPE(Start) { ADD(SR_INITIAL, terrain); }
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

TEST_CASE("check: a WireAs that loses an integer in a sample is GH005", "[harness][signals]") {
  const Folder folder;
  const Program program = Program(1).Type<Level>().Sample("lava", [](void* object) {
    auto& level = *static_cast<Level*>(object);
    level.tiles = {Terrain::Grass, Terrain::Lava};
    level.ticks.n = 25;
    level.angle.degrees = 12.5F;
    level.time = Milliseconds(1500);
  });
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  const Finding tile = Find(result, "GH005", "Level", "tiles[1]"),
                ticks = Find(result, "GH005", "Level", "ticks"),
                angle = Find(result, "GH005", "Level", "angle"),
                time = Find(result, "GH005", "Level", "time");
  CHECK(tile.severity == Severity::Error);
  CHECK_THAT(tile.message,
             Catch::StartsWith("Level.tiles[1]: its WireAs saves 999, but loads it as 231"));
  CHECK(tile.details == "sample: lava");
  CHECK_THAT(FixText(tile.fix), Catch::Contains("revctl reserve SR_"));
  CHECK_THAT(SourceLine(tile), Catch::Contains("tiles"));
  CHECK(ticks.severity == Severity::Error);
  CHECK(angle.severity == Severity::Note);
  CHECK_THAT(angle.message, Catch::Contains("saves 12.5, but loads it as 12"));
  CHECK(time.severity == Severity::Note);
  CHECK(result.findings.size() == 4);
}

TEST_CASE("check: a WireAs that loses the value of an initializer is GH005", "[harness][signals]") {
  const Folder folder;
  const Program program = Program(1).Type<Start>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(Find(result, "GH005", "Start", "terrain").details == "of a fresh object");
  CHECK(result.findings.size() == 1);
}

}  // namespace revctl::harness::test
