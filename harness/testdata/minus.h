#pragma once
#include <cstdint>

/// Subtracts without overflow, because samples may contain any numbers.
template <class T>
T Minus(T a, std::int32_t b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) -
                        static_cast<std::uint64_t>(static_cast<std::int64_t>(b)));
}
