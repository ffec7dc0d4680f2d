// The input is a byte that selects the revision, followed by a Level with an object stream.
#include <cstdlib>

#include "include/fuzz/fuzz.h"
#include "include/tests/objects/actors.h"

using namespace game;

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (std::uint8_t revision = 1; revision <= 3; ++revision) {
    const Level level{"cave", SomeActors(), nullptr, 77};
    revctl::Writer w(revision);
    Serialize(w, level);
    std::vector<std::uint8_t> seed{revision};
    for (const std::byte b : w.Bytes()) seed.push_back(static_cast<std::uint8_t>(b));
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const int revision = data[0] % 5;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  {
    Level level;
    revctl::Reader r(bytes, revision);
    Serialize(r, level);
    Level traced;
    revctl::TraceReader trace(bytes, revision);
    Serialize(trace, traced);
    if (r.Ok() != trace.Ok()) std::abort();
    if (r.Ok()) {
      // Every graph that can be read must be complete and therefore writable, and reading the
      // result must yield a graph of the same size.
      revctl::Writer first(SR_LATEST);
      Serialize(first, level);
      if (!first.Ok()) std::abort();
      Level again;
      revctl::Reader back(first.Bytes(), SR_LATEST);
      Serialize(back, again);
      revctl::Writer second(SR_LATEST);
      Serialize(second, again);
      if (!back.AtEnd() || first.Bytes().size() != second.Bytes().size()) std::abort();
    } else if (r.error().reason.empty()) {
      std::abort();
    }
  }
  if (Actor::alive != 0) std::abort();
  return 0;
}
