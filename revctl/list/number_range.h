#pragma once
#include <cstdint>

namespace revctl::list {

/// Numbers that a revision may have: what a file's header holds in lists of any kind, signed 32
/// bits.
inline constexpr std::int64_t kSmallestNumber = INT32_MIN, kLargestNumber = INT32_MAX;

}  // namespace revctl::list
