#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Integers as C++ computes with them: a value has a type, and the type decides about wrap-around
/// and signs.
namespace revctl::list::detail {

/// An integer type by its width, sign and conversion rank. LP64, as on the systems that this tool
/// runs on.
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

/// A value of a type. `bits` holds it sign- or zero-extended to 64 bits.
struct Integer {
  std::uint64_t bits = 0;
  IntegerType type = kInt;

  bool Negative() const { return type.is_signed && static_cast<std::int64_t>(bits) < 0; }
  /// The value where it fits a signed 64-bit number.
  std::optional<std::int64_t> Signed() const;
  std::string Text() const;
};

Integer Convert(Integer value, IntegerType type);  ///< wraps, as a cast does
bool Fits(Integer value, IntegerType type);        ///< the value survives Convert
IntegerType Promoted(IntegerType type);            ///< integral promotion
IntegerType Common(IntegerType a,
                   IntegerType b);  ///< usual arithmetic conversions of promoted types
std::optional<Integer> Successor(
    Integer value);                  ///< value + 1 in its type, or in the next that holds it
std::string Name(IntegerType type);  ///< `unsigned char`

/// What an operator or literal gives: a value, or why it is no constant (`error` is a static text).
struct Computed {
  Integer value;
  const char* error = nullptr;
};

/// `+ - * / % << >> & | ^ < > <= >= == !=`. Overflow of signed types, division by zero and shifts
/// out of range are errors, as they are in a constant expression.
Computed Binary(std::string_view op, Integer left, Integer right);

/// `+ - ~ !`.
Computed Unary(std::string_view op, Integer operand);

/// `0x1f`, `1'000u`, `017`, `0b11`. In #if (`preprocessor`) every type is 64 bits wide.
Computed IntegerLiteral(std::string_view text, bool preprocessor);

/// `'a'`, `'\n'`, `u'\u00e9'`, `'RV01'` (as g++ and clang pack it), up to four bytes.
Computed CharacterLiteral(std::string_view text);

}  // namespace revctl::list::detail
