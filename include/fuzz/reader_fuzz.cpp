#include <revctl/fill.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <cstdlib>
#include <cstring>

#include "include/fuzz/fuzz.h"
#include "include/tests/everything.h"

// Whole files through Load(), and payloads through both readers, which must agree.

namespace {

using everything::Everything;

constexpr std::int64_t kRevisions[] = {1, 2, 4};

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Everything whole;
  const auto status = revctl::Load(std::span(data, size), whole, everything::SR_LATEST);
  Require(status.Ok() == status.message().empty());
  if (size < 16) return 0;

  const std::int64_t at = kRevisions[data[4] % 3];
  const auto payload = std::as_bytes(std::span(data + 16, size - 16));
  revctl::Reader fast(payload, at);
  Everything a;
  Serialize(fast, a);
  revctl::TraceReader slow(payload, at);
  Everything b;
  Serialize(slow, b);
  Require(fast.Ok() == slow.Ok());
  if (!fast.Ok()) {
    Require(!fast.error().path.empty() && !fast.error().reason.empty() && fast.error().offset <= payload.size());
    return 0;
  }
  // What was accepted has one encoding only, up to the order of keys: writing gives as many bytes as were read.
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
      if (revctl::Save(at, revctl::Filled<Everything>(at, seed), bytes).Ok()) seeds.push_back(std::move(bytes));
    }
  }
  return seeds;
}
