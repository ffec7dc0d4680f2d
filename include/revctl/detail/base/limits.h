#pragma once
#include <cstddef>
#include <cstdint>

namespace revctl {

/// What an input may cost its reader. Reading never makes more elements than the input's bytes pay
/// for, and never more memory than the budget allows, also where elements have no bytes at all.
struct Limits {
  /// Bytes of elements that one reading may make: sizeof(T) for each. Zero means the default of
  /// DefaultBudget().
  std::size_t budget = 0;
  /// Containers and pointers nested in one another; also objects of a stream that own one another,
  /// since destroying them goes as deep. Each level costs some stack: a few hundred bytes, more
  /// without optimisation or with sanitizers.
  int depth = 500;

  /// 64 times the input and 256 MiB: far above what real data asks for, far below what takes a
  /// machine down.
  static constexpr std::size_t DefaultBudget(std::size_t input_bytes) {
    constexpr std::size_t base = std::size_t{256} << 20;
    return input_bytes > (SIZE_MAX - base) / 64 ? SIZE_MAX : base + 64 * input_bytes;
  }
};

namespace detail {
inline constexpr char kTooDeep[] = "nested deeper than the limit";
}  // namespace detail

}  // namespace revctl
