#include <catch2/catch.hpp>
#include <random>

#include "history.h"

// Tests that any bytes yield either a value or an error with a path. These tests are most useful
// with sanitizers.
namespace {

using namespace voxel;

std::vector<std::vector<std::byte>> Files() {
  return {BytesOf(SomeWorld<v1::World>()), BytesOf(SomeWorld<v2::World>()),
          BytesOf(SomeWorld<v3::World>()), BytesOf(SomeWorld<v4::World>()),
          BytesOf(SomeWorld<v5::World>()), BytesOf(SomeWorld<v6::World>()),
          BytesOf(SomeWorld<v6::World>()), BytesOf(SomeWorld<v6::World>()),
          BytesOf(SomeWorld<v9::World>())};
}

/// Reads `bytes`. The result must be either a value that can be written, or an error with a path
/// that leaves the value unchanged.
void ReadAnything(const std::vector<std::byte>& bytes, int revision) {
  World world;
  world.seed = 0xABCDEF;
  const revctl::Status status = revctl::ReadPlain(bytes, revision, world);
  if (status.Ok()) {
    std::vector<std::byte> out;
    if (!revctl::WritePlain(world, out).Ok()) FAIL("read but not written");
  } else {
    if (world.seed != 0xABCDEF) FAIL("a failed read changed the value");
    if (status.message().find("World") != 0) FAIL("no path: " << status.message());
  }
}

/// Returns the result of checking these bytes. The unrolled check and the check that walks a layout
/// must agree.
bool BothChecks(const std::vector<std::byte>& bytes) {
  revctl::detail::PlainLayouts layouts;
  revctl::detail::PlainTrouble unrolled, walked;
  const bool a = revctl::detail::CheckPlainToday<World>(bytes.data(), 0, unrolled);
  const auto& today = layouts.Today(revctl::detail::plain_table<World>);
  const bool b = revctl::detail::CheckPlainImage(today, bytes.data(), 0, walked);
  if (a != b || unrolled.path() != walked.path() || unrolled.offset() != walked.offset()) {
    FAIL("the checks disagree: " << unrolled.path() << " / " << walked.path());
  }
  return a;
}

}  // namespace

TEST_CASE("plain storm: truncation at every byte", "[plain][storm]") {
  int revision = 0;
  for (const auto& file : Files()) {
    ++revision;
    for (std::size_t n = 0; n < file.size(); ++n) {
      World world;
      const std::vector<std::byte> part(file.begin(),
                                        file.begin() + static_cast<std::ptrdiff_t>(n));
      const revctl::Status status = revctl::ReadPlain(part, revision, world);
      if (status.kind() != revctl::Status::Kind::Corrupt)
        FAIL("accepted " << n << " bytes at revision " << revision);
    }
  }
}

TEST_CASE("plain storm: flips of every bit at every revision", "[plain][storm]") {
  int revision = 0;
  for (auto file : Files()) {
    ++revision;
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
      file[bit / 8] ^= std::byte(1u << bit % 8);
      ReadAnything(file, revision);
      file[bit / 8] ^= std::byte(1u << bit % 8);
    }
  }
}

TEST_CASE("plain storm: random bytes", "[plain][storm]") {
  std::mt19937 random(20260101);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    const int revision = static_cast<int>(random() % 10);
    const std::size_t size = round % 3 == 0 ? random() % 400 : revctl::PlainSize<World>(revision);
    std::vector<std::byte> bytes(size);
    const unsigned most = round % 2 == 0 ? 256 : 2;  // valid in bools and enums if small
    for (std::byte& b : bytes) b = static_cast<std::byte>(random() % most);
    ReadAnything(bytes, revision);
    if (size == sizeof(World)) accepted += BothChecks(bytes);
  }
  CHECK(accepted > 100);
}

TEST_CASE("plain storm: a wrong bool is detected anywhere in an array", "[plain][storm]") {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<std::byte> flags(count, std::byte{1});
    if (revctl::detail::FirstBadPlainBool(flags.data(), count) != count)
      FAIL("reported a bad bool among " << count);
    for (std::size_t at = 0; at < count; ++at) {
      for (const int wrong : {2, 3, 4, 16, 128, 255}) {
        flags[at] = static_cast<std::byte>(wrong);
        if (revctl::detail::FirstBadPlainBool(flags.data(), count) != at)
          FAIL("missed " << wrong << " at " << at);
      }
      flags[at] = std::byte{0};
    }
  }
}

TEST_CASE("plain storm: an index out of range in a handler is an error", "[plain][storm]") {
  struct Picked {
    PLAIN(Picked);
    FIELD(std::int32_t, which, 1) = 0;
    FIELD(std::uint16_t[4], cells, 1) = {};
    FIELD(std::uint16_t, picked, 2) = 0;
    HOP(2) {
      to.Set<"picked">(from.Get<"cells">(from.Get<"which">()));
      to.Set<"cells">(std::uint16_t{9}, from.Get<"which">());
    }
  };
  const auto read = [](std::int32_t which, Picked& out) {
    std::vector<std::byte> bytes(revctl::PlainSize<Picked>(1));
    std::memcpy(bytes.data(), &which, sizeof which);
    bytes[8] = std::byte{77};
    return revctl::ReadPlain(bytes, 1, out);
  };
  Picked value;
  REQUIRE(read(2, value).Ok());
  CHECK(value.picked == 77);
  CHECK(value.cells[2] == 9);
  CHECK(read(4, value).message() ==
        "Picked: cells[4] is out of range in an upgrade to the next revision");
  CHECK(read(-1, value).message() ==
        "Picked: cells[-1] is out of range in an upgrade to the next revision");
  CHECK(read(std::numeric_limits<std::int32_t>::min(), value).kind() ==
        revctl::Status::Kind::Refused);
}
