// Tests the costs of reading a world by counting instead of timing. A current file takes one read
// and needs no old layout. The layout of an old revision is computed when the first file of that
// revision is read. A wrong list of fields is reported at start-up.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <new>

#include <revctl/serialize.h>

#include "known_world.h"

namespace {
std::size_t allocations = 0;
}

// Counts allocations, because layouts and plans are allocated on the heap.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return ::operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace voxel {
namespace {

std::vector<std::byte> Payload(WorldRevision revision) {
  revctl::Writer writer(revision);
  World world = KnownWorld();
  Serialize(writer, world);
  REQUIRE(writer.Ok());
  return {writer.Bytes().begin(), writer.Bytes().end()};
}

/// Returns the number of allocations during one read.
std::size_t Read(const std::vector<std::byte>& payload, WorldRevision revision) {
  World world;
  const std::size_t before = allocations;
  revctl::Reader reader(payload, revision);
  Serialize(reader, world);
  const std::size_t asked = allocations - before;
  REQUIRE(reader.AtEnd());
  REQUIRE(world.characters[1].at[1] == 0.5F);
  return asked;
}

TEST_CASE("layouts of old revisions are made on demand and kept", "[voxel]") {
  const std::vector<std::byte> today = Payload(SR_MORE_DOORS), locks = Payload(SR_LOCKS),
                               first = Payload(SR_FIRST);
  CHECK(Read(today, SR_MORE_DOORS) == 0);  // a current file needs neither a layout nor a buffer
  const std::size_t made = Read(first, SR_FIRST);
  CHECK(made > 0);
  CHECK(Read(first, SR_FIRST) == 0);  // the layout is cached
  CHECK(Read(locks, SR_LOCKS) > 0);   // the layout of a different revision is computed now
  CHECK(Read(today, SR_MORE_DOORS) == 0);
}

/// An archive that records the size of each read, which shows how often revctl::Reader copies
/// bytes.
struct Counting {
  revctl::Revision revision;
  std::span<const std::byte> bytes;
  std::vector<std::size_t> reads;
  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }
  static constexpr bool Ok() { return true; }
  template <std::size_t N>
  void Value(unsigned char (&memory)[N]) {
    REQUIRE(N <= bytes.size());
    std::memcpy(memory, bytes.data(), N);
    bytes = bytes.subspan(N);
    reads.push_back(N);
  }
  static void Fail(const std::string& reason) { FAIL(reason); }
};

TEST_CASE("a current file is one read of the whole struct", "[voxel]") {
  const std::vector<std::byte> payload = Payload(SR_MORE_DOORS);
  Counting archive{revctl::Revision(SR_MORE_DOORS), payload, {}};
  World world;
  RevctlBody(revctl::Tag<World>{})(archive, world, &world);
  CHECK(archive.reads == std::vector<std::size_t>{sizeof(World)});
  CHECK(archive.bytes.empty());
  const World known = KnownWorld();
  CHECK(std::memcmp(&world.characters, &known.characters, sizeof world.characters) == 0);
  CHECK(world.rooms[1].light == known.rooms[1].light);
  // The layout of an old revision differs from the struct, so reading takes one read for each block
  // of bytes that the two layouts share.
  const std::vector<std::byte> old = Payload(SR_FIRST);
  Counting blocks{revctl::Revision(SR_FIRST), old, {}};
  RevctlBody(revctl::Tag<World>{})(blocks, world, &world);
  CHECK(blocks.reads.size() > 1);
  CHECK(blocks.bytes.empty());
}

/// A faulty type: `lid` has no FIELD. Unlike the rest of the example, this type is in an unnamed
/// namespace, to test that such types link.
struct Crate {
  PLAIN(Crate);
  FIELD(std::uint16_t, room, SR_FIRST) = 0;
  std::uint32_t lid = 0;
  FIELD(std::uint16_t, goods, SR_FIRST) = 0;
};

/// A faulty type: `open` was removed at an earlier revision than it was added.
struct Barrel {
  PLAIN(Barrel);
  DEAD(bool, open, SR_ANGLE, SR_LOCKS);
  FIELD(float, angle, SR_ANGLE) = 0;
};

TEST_CASE("a wrong list of fields is reported before any file is read", "[voxel]") {
  static_assert(revctl::plain_fits<World>);
  static_assert(!revctl::plain_fits<Crate>);
  CHECK(revctl::CheckPlain<World>());
  const revctl::Status crate = revctl::CheckPlain<Crate>(), barrel = revctl::CheckPlain<Barrel>();
  INFO(crate.message() << "\n" << barrel.message());
  CHECK_THAT(crate.message(),
             Catch::Contains("Crate.goods should be at offset 2, but the compiler says 8"));
  CHECK_THAT(barrel.message(), Catch::Contains("Barrel.open ends at revision 2 but begins at 3"));
  // Reading also fails, even if the program never called CheckPlain.
  const std::vector<std::byte> bytes(16);
  revctl::Reader reader(bytes, SR_MORE_DOORS);
  Crate read;
  Serialize(reader, read);
  CHECK_FALSE(reader.Ok());
}

}  // namespace
}  // namespace voxel
