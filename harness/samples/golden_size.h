#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "golden/revision_record.h"

namespace revctl::harness {

/// What one golden may have.
inline constexpr std::size_t kMostLeaves = 4096;
std::string TooLarge(std::size_t leaves, std::size_t bytes);
/// What it takes in the store, about: its payload, and a line for each value.
std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values);

}  // namespace revctl::harness
