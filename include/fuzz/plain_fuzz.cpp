// The input is a byte that selects the revision, followed by a World at that revision.
#include <cstdlib>

#include "include/fuzz/fuzz.h"
#include "include/tests/plain/history.h"

using namespace voxel;

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  const auto add = [&](std::uint8_t revision, const auto& old) {
    const auto bytes = BytesOf(old);
    std::vector<std::uint8_t> seed{revision};
    for (const std::byte b : bytes) seed.push_back(static_cast<std::uint8_t>(b));
    seeds.push_back(std::move(seed));
  };
  add(1, SomeWorld<v1::World>());
  add(2, SomeWorld<v2::World>());
  add(3, SomeWorld<v3::World>());
  add(4, SomeWorld<v4::World>());
  add(5, SomeWorld<v5::World>());
  add(6, SomeWorld<v6::World>());
  add(9, SomeWorld<v9::World>());
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const int revision = data[0] % 11;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  World world;
  const revctl::Status status = revctl::ReadPlain(bytes, revision, world);
  if (!status) {
    if (status.message().empty()) std::abort();
    return 0;
  }
  // Every value that can be read must be writable, and a second round trip must produce the same
  // bytes.
  std::vector<std::byte> first, second;
  World again;
  if (!revctl::WritePlain(world, first) || !revctl::ReadPlain(first, SR_LATEST, again))
    std::abort();
  if (!revctl::WritePlain(again, second) || first != second) std::abort();
  return 0;
}
