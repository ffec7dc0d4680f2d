#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/trace.h>

#include "everything.h"

// Tests that reading handles arbitrary bytes. Each input is in a heap block of exactly its size, so
// that AddressSanitizer (preset asan) detects reads beyond the end.

namespace {

using everything::Everything;

std::vector<std::byte> Payload(std::uint64_t seed, revctl::Revision at) {
  revctl::Writer w(at);
  Serialize(w, revctl::Filled<Everything>(at, seed));
  REQUIRE(w.Ok());
  return {w.Bytes().begin(), w.Bytes().end()};
}

/// Reads `size` bytes with Reader and TraceReader, which must agree on whether reading succeeds and
/// on an error's location and reason.
bool BothRead(const std::byte* bytes, std::size_t size, revctl::Revision at) {
  const std::unique_ptr<std::byte[]> exact(new std::byte[size]);
  std::copy(bytes, bytes + size, exact.get());
  const std::span<const std::byte> input(exact.get(), size);
  revctl::Reader fast(input, at);
  Everything a;
  Serialize(fast, a);
  revctl::TraceReader slow(input, at);
  slow.CollectLeaves(false);
  Everything b;
  Serialize(slow, b);
  if (fast.Ok() != slow.Ok() || fast.AtEnd() != (slow.Ok() && slow.AtEnd())) {
    FAIL("the readers disagree");
  }
  if (!fast.Ok() &&
      (fast.error().path != slow.error().path || fast.error().offset != slow.error().offset ||
       fast.error().reason != slow.error().reason)) {
    FAIL("Reader: " << fast.error().path << " at " << fast.error().offset << ": "
                    << fast.error().reason << "\nTraceReader: " << slow.error().path << " at "
                    << slow.error().offset << ": " << slow.error().reason);
  }
  return fast.AtEnd();
}

}  // namespace

TEST_CASE("hostile: truncation at every byte is an error", "[hostile]") {
  for (const std::int64_t revision : {1, 2, 4}) {
    for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 6u}) {
      const auto bytes = Payload(seed, revision);
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        if (BothRead(bytes.data(), size, revision))
          FAIL("accepted " << size << " of " << bytes.size() << " bytes");
      }
      CHECK(BothRead(bytes.data(), bytes.size(), revision));
    }
  }
}

TEST_CASE("hostile: both readers agree on flipped bytes", "[hostile]") {
  std::uint64_t state = 1;
  auto random = [&] {
    return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33;
  };
  std::size_t accepted = 0, refused = 0;
  for (const std::uint64_t seed : {0u, 2u}) {
    const auto bytes = Payload(seed, everything::SR_MORE);
    for (int round = 0; round < 1500; ++round) {
      auto mutated = bytes;
      for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
        mutated[random() % mutated.size()] =
            random() % 3 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
      }
      ++(BothRead(mutated.data(), mutated.size(), everything::SR_MORE) ? accepted : refused);
    }
  }
  CHECK(accepted > 100);
  CHECK(refused > 100);
}
