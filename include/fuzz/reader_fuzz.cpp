#include <revctl/fill.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <cstdlib>
#include <cstring>

#include "include/fuzz/fuzz.h"
#include "include/tests/everything.h"

// Reads whole files with Load(), and payloads with Reader and TraceReader, which must agree.

namespace {

using everything::Everything;
using everything::SR_INITIAL;
using everything::SR_LESS;
using everything::SR_MORE;

// One element type for each fast path of the reader: elements copied without checks, copied after
// checking the bools, or decoded leaf by leaf, at the newest revision and at old ones.
struct Pixel {
  std::uint32_t color = 0;
  float depth = 0;
};
SERIALIZE_TYPE(Pixel) {
  ADD(SR_INITIAL, color);
  ADD(SR_INITIAL, depth);
}
SERIALIZE_END

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
  ADD(SR_LESS, lit);
  ADD(SR_INITIAL, seen);
}
SERIALIZE_END

struct Spark {
  std::uint8_t heat = 0;
  bool on = false;
  std::int32_t x = 0, y = 0;
};
SERIALIZE_TYPE(Spark) {
  ADD(SR_INITIAL, heat);
  REM(SR_INITIAL, SR_MORE, std::uint16_t, age, 0);
  ADD(SR_MORE, on);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, x);
}
SERIALIZE_END

enum Suit { Clubs, Diamonds, Hearts };  // has no fixed underlying type, so some values are invalid

struct Whole {
  std::vector<Pixel> pixels;
  std::vector<Tile> tiles;
  std::vector<Spark> sparks;
  std::vector<Suit> suits;
  Everything everything;
};
SERIALIZE_TYPE(Whole) {
  ADD(SR_INITIAL, pixels);
  ADD(SR_INITIAL, tiles);
  ADD(SR_INITIAL, sparks);
  ADD(SR_INITIAL, suits);
  ADD(SR_INITIAL, everything);
}
SERIALIZE_END

constexpr std::int64_t kRevisions[] = {1, 2, 4};

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Whole whole;
  const auto status = revctl::Load(std::span(data, size), whole, everything::SR_LATEST);
  Require(status.Ok() == status.message().empty());
  if (size < 16) return 0;

  // Use the revision in the header, so that seeds are read at the revision at which they were
  // written.
  const std::uint8_t written = data[revctl::detail::kSwapBytes ? 7 : 4];
  const std::int64_t at = written == 1 ? 1 : written == 2 ? 2 : 4;
  const auto payload = std::as_bytes(std::span(data + 16, size - 16));
  revctl::Reader fast(payload, at);
  Whole a;
  Serialize(fast, a);
  revctl::TraceReader slow(payload, at);
  Whole b;
  Serialize(slow, b);
  Require(fast.Ok() == slow.Ok());
  for (const Tile& tile : a.tiles)
    Require((reinterpret_cast<const unsigned char&>(tile.wet) | 1) == 1);
  if (!fast.Ok()) {
    Require(!fast.error().path.empty() && !fast.error().reason.empty() &&
            fast.error().offset <= payload.size());
    return 0;
  }
  // Accepted input has only one encoding, apart from the order of keys, so writing must produce
  // exactly as many bytes as were read.
  revctl::Writer w(at);
  Serialize(w, a);
  Require(w.Ok() && (at < everything::SR_LATEST || w.Bytes().size() == fast.offset()));
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (const std::int64_t at : kRevisions) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      std::vector<std::uint8_t> bytes;
      if (revctl::Save(at, revctl::Filled<Whole>(at, seed), bytes).Ok())
        seeds.push_back(std::move(bytes));
    }
  }
  return seeds;
}
