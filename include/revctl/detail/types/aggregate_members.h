#pragma once
#include <cstddef>
#include <type_traits>

// Counts the members of an aggregate, including its bases, so that the harness can report members
// that no body visits. `T{{}, {}, {}}` compiles if T has at least three members, because each `{}`
// initializes one whole member of any kind, including arrays.

namespace revctl::detail {

template <class T, std::size_t n>
inline constexpr bool kTakes = false;

// Defines kTakes<T, n> for each n up to 127. The arguments of the macros are the bits of n, highest
// first. Each set bit contributes as many `{}` as its place value, for example four for the third
// bit from the right.

// clang-format off
#define REVCTL_DETAIL_E1_0
#define REVCTL_DETAIL_E1_1 {},
#define REVCTL_DETAIL_E2_0
#define REVCTL_DETAIL_E2_1 {}, {},
#define REVCTL_DETAIL_E4_0
#define REVCTL_DETAIL_E4_1 REVCTL_DETAIL_E2_1 REVCTL_DETAIL_E2_1
#define REVCTL_DETAIL_E8_0
#define REVCTL_DETAIL_E8_1 REVCTL_DETAIL_E4_1 REVCTL_DETAIL_E4_1
#define REVCTL_DETAIL_E16_0
#define REVCTL_DETAIL_E16_1 REVCTL_DETAIL_E8_1 REVCTL_DETAIL_E8_1
#define REVCTL_DETAIL_E32_0
#define REVCTL_DETAIL_E32_1 REVCTL_DETAIL_E16_1 REVCTL_DETAIL_E16_1
#define REVCTL_DETAIL_E64_0
#define REVCTL_DETAIL_E64_1 REVCTL_DETAIL_E32_1 REVCTL_DETAIL_E32_1
#define REVCTL_DETAIL_TAKES7(a, b, c, d, e, f, g)                                               \
  template <class T>                                                                            \
  requires requires {                                                                           \
    T{REVCTL_DETAIL_E64_##a REVCTL_DETAIL_E32_##b REVCTL_DETAIL_E16_##c REVCTL_DETAIL_E8_##d    \
      REVCTL_DETAIL_E4_##e REVCTL_DETAIL_E2_##f REVCTL_DETAIL_E1_##g};                          \
  }                                                                                             \
  inline constexpr bool kTakes<T, 64 * a + 32 * b + 16 * c + 8 * d + 4 * e + 2 * f + g> = true;
#define REVCTL_DETAIL_TAKES6(...) \
  REVCTL_DETAIL_TAKES7(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES7(__VA_ARGS__, 1)
#define REVCTL_DETAIL_TAKES5(...) \
  REVCTL_DETAIL_TAKES6(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES6(__VA_ARGS__, 1)
#define REVCTL_DETAIL_TAKES4(...) \
  REVCTL_DETAIL_TAKES5(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES5(__VA_ARGS__, 1)
#define REVCTL_DETAIL_TAKES3(...) \
  REVCTL_DETAIL_TAKES4(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES4(__VA_ARGS__, 1)
#define REVCTL_DETAIL_TAKES2(...) \
  REVCTL_DETAIL_TAKES3(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES3(__VA_ARGS__, 1)
#define REVCTL_DETAIL_TAKES1(...) \
  REVCTL_DETAIL_TAKES2(__VA_ARGS__, 0) REVCTL_DETAIL_TAKES2(__VA_ARGS__, 1)
REVCTL_DETAIL_TAKES1(0)
REVCTL_DETAIL_TAKES1(1)
// clang-format on

template <class T, std::size_t low, std::size_t high>
consteval std::size_t SearchMembers() {  // T accepts `low` initializers, but not `high`
  if constexpr (high - low == 1) {
    return low;
  } else {
    constexpr std::size_t middle = (low + high) / 2;
    if constexpr (kTakes<T, middle>) return SearchMembers<T, middle, high>();
    else return SearchMembers<T, low, middle>();
  }
}

/// Returns the number of members of T, at most 127; 0 if T is not an aggregate.
template <class T>
consteval std::size_t AggregateMembers() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    return SearchMembers<T, 0, 128>();
  } else {
    return 0;
  }
}

}  // namespace revctl::detail
