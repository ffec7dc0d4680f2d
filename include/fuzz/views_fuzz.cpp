#include <revctl/fill.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>
#include <revctl/view.h>

#include <cstdlib>
#include <cstring>
#include <memory_resource>

#include "include/fuzz/fuzz.h"

// Tests views, aligned fields and arenas. A reader whose views borrow, a reader whose views own
// their elements, and a TraceReader must agree on any payload at any address.

namespace {

enum Revision { SR_INITIAL = 1, SR_MORE = 2, SR_LATEST = SR_MORE };
enum Suit { Clubs, Diamonds, Hearts };

struct Tile {
  std::uint64_t id = 0;
  std::uint32_t kind = 0;
  bool solid = false, wet = false, lit = false, seen = false;
};
SERIALIZE_TYPE(Tile) {
  ADD(SR_INITIAL, id);
  ADD(SR_MORE, kind);
  ADD(SR_INITIAL, solid);
  ADD(SR_INITIAL, wet);
  ADD(SR_INITIAL, lit);
  ADD(SR_INITIAL, seen);
}
SERIALIZE_END

struct Map {
  revctl::TextView name;
  revctl::View<Tile> tiles;
  revctl::View<Suit> suits;
  revctl::View<bool> bits;
  std::vector<revctl::View<double>> rows;
  revctl::Aligned<4, std::array<float, 2>> origin;
  std::pmr::vector<std::pmr::string> notes;
  std::pmr::map<std::pmr::string, std::pmr::vector<Tile>> layers;
};
SERIALIZE_TYPE(Map) {
  ADD(SR_INITIAL, name);
  ADD_ALIGNED(SR_INITIAL, 16, tiles);
  ADD_ALIGNED(SR_INITIAL, 4, suits);
  ADD(SR_INITIAL, bits);
  ADD_ALIGNED(SR_MORE, 8, rows);
  ADD(SR_INITIAL, origin);
  ADD(SR_INITIAL, notes);
  ADD(SR_INITIAL, layers);
}
SERIALIZE_END

void Require(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::byte> Written(const Map& map, std::int64_t at) {
  revctl::Writer w(at);
  Serialize(w, map);
  Require(w.Ok());
  return {w.Bytes().begin(), w.Bytes().end()};
}

void Touch(const Map& map) {
  for (const Tile& tile : map.tiles)
    Require((reinterpret_cast<const unsigned char&>(tile.wet) | 1) == 1);
  for (const Suit suit : map.suits) Require(suit <= 3);
  for (const auto& row : map.rows)
    Require(reinterpret_cast<std::uintptr_t>(row.data()) % alignof(double) == 0);
  Require(map.tiles.Owns() || reinterpret_cast<std::uintptr_t>(map.tiles.data()) % 16 == 0);
}

void Check(std::span<const std::byte> payload, std::int64_t at) {
  std::pmr::monotonic_buffer_resource arena;
  Map borrowed, owned, traced;
  revctl::Reader fast(payload, at, {.resource = &arena, .borrow = true});
  Serialize(fast, borrowed);
  revctl::Reader plain(payload, at);
  Serialize(plain, owned);
  revctl::TraceReader slow(payload, at);
  Serialize(slow, traced);
  Require(fast.Ok() == slow.Ok() && plain.Ok() == slow.Ok());
  Touch(borrowed);
  if (!fast.Ok()) {
    Require(fast.error().path == plain.error().path && fast.error().reason == plain.error().reason);
    Require(!fast.error().reason.empty() && fast.error().offset <= payload.size());
    return;
  }
  Require(fast.offset() == plain.offset() && fast.offset() == slow.offset());
  const auto again = Written(borrowed, at);
  Require(again == Written(owned, at) && again == Written(traced, at));
  Require(again.size() == fast.offset());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::int64_t at = data[0] % 2 == 0 ? SR_INITIAL : SR_LATEST;
  // Run the input twice: once aligned like a mapped file, and once unaligned.
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}}) {
    const std::unique_ptr<std::byte[]> exact(new std::byte[size - 1 + offset]);
    if (size > 1) std::memcpy(exact.get() + offset, data + 1, size - 1);
    Check({exact.get() + offset, size - 1}, at);
  }
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (const std::int64_t at : {SR_INITIAL, SR_LATEST}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto bytes = Written(revctl::Filled<Map>(at, seed), at);
      std::vector<std::uint8_t> input(1 + bytes.size(), static_cast<std::uint8_t>(at - 1));
      std::memcpy(input.data() + 1, bytes.data(), bytes.size());
      seeds.push_back(std::move(input));
    }
  }
  return seeds;
}
