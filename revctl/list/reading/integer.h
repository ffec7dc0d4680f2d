#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Integer arithmetic as in C++: each value has a type, which determines wrap-around and sign.
namespace revctl::list::detail {

/// An integer type, described by its width, sign and conversion rank. Assumes an LP64 platform.
struct IntegerType {
  std::uint8_t bits = 32;
  bool is_signed = true;
  std::uint8_t rank = 3;
  bool operator==(const IntegerType&) const = default;
};

inline constexpr IntegerType kBool{1, false, 0};
inline constexpr IntegerType kChar{8, true, 1};
inline constexpr IntegerType kSignedChar{8, true, 1};
inline constexpr IntegerType kUnsignedChar{8, false, 1};
inline constexpr IntegerType kShort{16, true, 2};
inline constexpr IntegerType kUnsignedShort{16, false, 2};
inline constexpr IntegerType kInt{32, true, 3};
inline constexpr IntegerType kUnsigned{32, false, 3};
inline constexpr IntegerType kLong{64, true, 4};
inline constexpr IntegerType kUnsignedLong{64, false, 4};
inline constexpr IntegerType kLongLong{64, true, 5};
inline constexpr IntegerType kUnsignedLongLong{64, false, 5};

/// A value with its type. `bits` is the value, sign- or zero-extended to 64 bits.
struct Integer {
  std::uint64_t bits = 0;
  IntegerType type = kInt;

  bool Negative() const { return type.is_signed && static_cast<std::int64_t>(bits) < 0; }
  /// Returns the value, or nullopt if it does not fit in a signed 64-bit number.
  std::optional<std::int64_t> Signed() const;
  std::string Text() const;
};

Integer Convert(Integer value, IntegerType type);  ///< converts as a cast does, with wrap-around
bool Fits(Integer value, IntegerType type);        ///< true if Convert() keeps the value
/// Returns the common type according to the usual arithmetic conversions.
IntegerType Common(IntegerType a, IntegerType b);
/// Returns value + 1, in a larger type if necessary, or nullopt if no type can hold it.
std::optional<Integer> Successor(Integer value);

/// The result of an operator or literal: a value, or the reason why it is not a constant (a static
/// string).
struct Computed {
  Integer value;
  const char* error = nullptr;
};

/// Evaluates `left op right` for arithmetic, bitwise and comparison operators. Signed overflow,
/// division by zero and out-of-range shifts are errors, as in a C++ constant expression.
Computed Binary(std::string_view op, Integer left, Integer right);

/// Evaluates the operators `+`, `-`, `~` and `!`.
Computed Unary(std::string_view op, Integer operand);

/// Parses an integer literal such as `0x1f`, `1'000u`, `017` or `0b11`. If `preprocessor` is true,
/// every type has 64 bits, as in #if.
Computed IntegerLiteral(std::string_view text, bool preprocessor);

/// Parses `'a'`, `'\n'`, `u'\u00e9'`, or a multi-character literal of up to four bytes (`'RV01'`),
/// which gets the same value as in g++ and clang.
Computed CharacterLiteral(std::string_view text);

}  // namespace revctl::list::detail
