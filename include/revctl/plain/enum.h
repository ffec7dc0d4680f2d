#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <revctl/detail/types/enums.h>

namespace revctl {

/// Specialize this to define which values of an enum are valid in plain structs. By default, the
/// enumerators are valid or, if the enum is a set of flags with an `operator|`, all combinations of
/// enumerators. See detail/types/enums.h for how the library finds enumerators. If it cannot find
/// them, declare them with REVCTL_ENUMERATORS, or write a check:
///
///     template <> struct revctl::PlainEnum<Tile> {
///       static bool Valid(std::uint16_t n) { return n < 900; }
///     };
template <class E>
struct PlainEnum;

namespace detail {

/// The type for an enum's numbers: the underlying type, or uint8_t for bool, because an input byte
/// may have a value other than 0 and 1.
template <class E>
using PlainEnumNumber = std::conditional_t<std::is_same_v<std::underlying_type_t<E>, bool>,
                                           std::uint8_t, std::underlying_type_t<E>>;

template <class E>
concept PlainFlags = requires(E e) {
  { e | e } -> std::same_as<E>;
};

/// The enumerators of `E` as numbers, computed once per program run.
template <class E>
class PlainEnumerators {
 public:
  using Number = PlainEnumNumber<E>;
  using Unsigned = std::make_unsigned_t<Number>;

  static const PlainEnumerators& Get() {
    static const PlainEnumerators known;
    return known;
  }

  /// True if all numbers from the first enumerator to the last are enumerators. Such enums are
  /// common, and they are the fastest to check.
  bool WithoutGaps() const { return without_gaps_; }
  Number First() const { return first_; }
  Unsigned Span() const { return span_; }

  bool Has(Number n) const {
    if constexpr (PlainFlags<E>) {
      return (static_cast<std::uint64_t>(n) & ~bits_) == 0;
    } else if constexpr (sizeof(E) == 1) {
      return small_[static_cast<std::uint8_t>(n)];
    } else {
      return std::binary_search(all_.begin(), all_.end(), n);
    }
  }

 private:
  PlainEnumerators() {
    for (const Enumerator* e = EnumeratorsWithNames<E>(); e != nullptr && e->name != nullptr; ++e) {
      const Number n = static_cast<Number>(e->value);
      bits_ |= static_cast<std::uint64_t>(n);
      if constexpr (sizeof(E) == 1) small_[static_cast<std::uint8_t>(n)] = true;
      all_.push_back(n);
    }
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    if (all_.empty() || PlainFlags<E>) return;
    first_ = all_.front();
    span_ =
        static_cast<Unsigned>(static_cast<Unsigned>(all_.back()) - static_cast<Unsigned>(first_));
    without_gaps_ = span_ == all_.size() - 1;
  }

  std::uint64_t bits_ = 0;
  bool without_gaps_ = false;
  Number first_ = 0;
  Unsigned span_ = 0;
  std::array<bool, sizeof(E) == 1 ? 256 : 1> small_{};
  std::vector<Number> all_;
};

/// Returns the index of the first of `n` enum values outside the range from `first` to `first +
/// span`, or `n` if all are inside. Tests whole blocks without branches, so that the compiler can
/// vectorize the loop, and then searches the block with the bad value.
template <class Number>
std::size_t FirstOutside(const std::byte* leaves, std::size_t n, Number first,
                         std::make_unsigned_t<Number> span) {
  using Unsigned = std::make_unsigned_t<Number>;
  const auto outside = [&](std::size_t i) {
    Unsigned number;
    std::memcpy(&number, leaves + i * sizeof(Number), sizeof number);
    return static_cast<Unsigned>(number - static_cast<Unsigned>(first)) > span;
  };
  constexpr std::size_t block = 64;
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    unsigned char bad = 0;
    for (std::size_t k = 0; k < block; ++k)
      bad = static_cast<unsigned char>(bad | (outside(i + k) ? 1 : 0));
    if (bad != 0) break;
  }
  while (i < n && !outside(i)) ++i;
  return i;
}

/// Returns the index of the first invalid value among `n` values of enum `E`, or `n` if all are
/// valid. The bytes are in host order and may be unaligned.
template <class E>
std::size_t FirstBadPlainEnum(const std::byte* leaves, std::size_t n) {
  using Number = PlainEnumNumber<E>;
  const auto find = [&](auto&& valid) {
    for (std::size_t i = 0; i < n; ++i) {
      Number number;
      std::memcpy(&number, leaves + i * sizeof(Number), sizeof number);
      if (!valid(number)) return i;
    }
    return n;
  };
  if constexpr (requires(Number number) {
                  { PlainEnum<E>::Valid(number) } -> std::convertible_to<bool>;
                }) {
    return find([](Number number) { return static_cast<bool>(PlainEnum<E>::Valid(number)); });
  } else {
    const PlainEnumerators<E>& known = PlainEnumerators<E>::Get();
    if (known.WithoutGaps()) return FirstOutside<Number>(leaves, n, known.First(), known.Span());
    return find([&known](Number number) { return known.Has(number); });
  }
}

/// Returns the index of the first of `n` bytes that is neither 0 nor 1, or `n` if there is none.
/// Tests eight bytes at a time, because most arrays are valid.
inline std::size_t FirstBadPlainBool(const std::byte* leaves, std::size_t n) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, leaves + i, 8);
    if ((eight & ~std::uint64_t{0x0101010101010101}) != 0) break;
  }
  while (i < n && static_cast<unsigned char>(leaves[i]) <= 1) ++i;
  return i;
}

}  // namespace detail
}  // namespace revctl
