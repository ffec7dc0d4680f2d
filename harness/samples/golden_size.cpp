#include "harness/samples/golden_size.h"

#include <fmt/core.h>

#include "golden/payload_pack.h"

namespace revctl::harness {

std::string TooLarge(std::size_t leaves, std::size_t bytes) {
  return fmt::format(
      "has {} values in {} bytes; a golden holds at most {} values in {} bytes: make it smaller",
      leaves, bytes, kMostLeaves, golden::kLargestPayload);
}

std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values) {
  std::uint64_t cost = bytes;
  for (const golden::Leaf& leaf : values) cost += leaf.path.size() + leaf.text.size() + 9;
  return cost;
}

}  // namespace revctl::harness
