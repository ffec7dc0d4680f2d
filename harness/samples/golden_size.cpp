#include "harness/samples/golden_size.h"

#include "golden/payload_pack.h"

namespace revctl::harness {

std::string TooLarge(std::size_t leaves, std::size_t bytes) {
  return "has " + std::to_string(leaves) + " values in " + std::to_string(bytes) +
         " bytes; a golden holds at most " + std::to_string(kMostLeaves) + " values in " +
         std::to_string(golden::kLargestPayload) + " bytes: make it smaller";
}

std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values) {
  std::uint64_t cost = bytes;
  for (const golden::Leaf& leaf : values) cost += leaf.path.size() + leaf.text.size() + 9;
  return cost;
}

}  // namespace revctl::harness
