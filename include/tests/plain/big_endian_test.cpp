#include <cstdio>

#include <revctl/plain_serialize.h>
#include <revctl/trace.h>
#include "history.h"

// Tests the code for big-endian machines, which REVCTL_DETAIL_SWAP enables. On a little-endian
// machine, this code writes the bytes of every leaf in reverse order.
namespace {

using namespace voxel;

bool SameBytes(const World& a, const World& b) {
  std::vector<std::byte> x, y;
  return revctl::WritePlain(a, x).Ok() && revctl::WritePlain(b, y).Ok() && x == y;
}

/// True if all three readers reject invalid bytes at the same offset. Tries truncated and overlong
/// bytes, and sets a bool to 7 (the last byte that is not padding).
bool Refuses(std::vector<std::byte> bytes, int revision) {
  World world;
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::span<const std::byte> cut(bytes.data(), n);
    revctl::TraceReader leaves(cut, revision);
    Serialize(leaves, world);
    revctl::Reader r(cut, revision);
    Serialize(r, world);
    if (leaves.Ok() || r.Ok() || revctl::ReadPlain(cut, revision, world)) return false;
  }
  std::size_t frozen = 0;
  {
    revctl::TraceReader leaves(bytes, revision);
    Serialize(leaves, world);
    for (const revctl::TraceLeaf& leaf : leaves.Leaves()) {
      if (leaf.path == "World.frozen") frozen = leaf.offset;
    }
  }
  bytes[frozen] = std::byte{7};
  revctl::TraceReader leaves(bytes, revision);
  Serialize(leaves, world);
  revctl::Reader r(bytes, revision);
  Serialize(r, world);
  const revctl::Status status = revctl::ReadPlain(bytes, revision, world);
  return frozen != 0 && leaves.error().path == "World.frozen" && r.error().path == "World.frozen" &&
         r.error().offset == frozen &&
         status.message().find("World.frozen at offset " + std::to_string(frozen)) == 0;
}

int Run() {
  World world{};
  world.seed = 0x0102030405060708;
  world.doors[1].room = 0x0A0B;
  world.doors[1].flags = Flag::Lit;
  for (const int revision : {1, 2, 5, 9}) {
    std::vector<std::byte> bytes;
    World back;
    if (!revctl::WritePlain(world, bytes, revision) || !revctl::ReadPlain(bytes, revision, back))
      return 1;
    if (bytes[0] != std::byte{1} || bytes[7] != std::byte{8}) return 2;
    if (back.seed != world.seed || back.doors[1].room != 0x0A0B) return 3;
    revctl::Writer w(revision);
    Serialize(w, world);
    if (w.Bytes().size() != bytes.size() ||
        !std::equal(bytes.begin(), bytes.end(), w.Bytes().begin()))
      return 4;
    revctl::TraceWriter trace(revision);
    Serialize(trace, world);
    if (trace.Bytes().size() != bytes.size() ||
        !std::equal(bytes.begin(), bytes.end(), trace.Bytes().begin()))
      return 5;
    World read;
    revctl::Reader r(w.Bytes(), revision);
    Serialize(r, read);
    if (!r.AtEnd() || !SameBytes(read, back)) return 6;
    World traced;
    revctl::TraceReader leaves(w.Bytes(), revision);
    Serialize(leaves, traced);
    if (!leaves.AtEnd() || !SameBytes(traced, back) ||
        leaves.Leaves()[0].text != "72623859790382856")
      return 7;
    if (!Refuses(bytes, revision)) return 8;
  }
  return 0;
}

}  // namespace

int main() {
  const int failed = Run();
  if (failed != 0) std::printf("step %d failed\n", failed);
  return failed;
}
