#include "revctl/list/reading/integer.h"

#include <limits>

namespace revctl::list::detail {
namespace {

Integer Bool(bool value) { return {value ? 1u : 0u, kBool}; }

/// Returns the type after integral promotion.
IntegerType Promoted(IntegerType type) { return type.rank < kInt.rank ? kInt : type; }

Computed Compare(std::string_view op, Integer a, Integer b) {
  const bool equal = a.bits == b.bits;
  const bool less = a.type.is_signed
                        ? static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits)
                        : a.bits < b.bits;
  if (op == "==") return {Bool(equal)};
  if (op == "!=") return {Bool(!equal)};
  if (op == "<") return {Bool(less)};
  if (op == "<=") return {Bool(less || equal)};
  if (op == ">") return {Bool(!less && !equal)};
  return {Bool(!less)};
}

constexpr const char* kOverflow = "the result does not fit in its type";

Computed FromSigned(std::int64_t value, IntegerType type) {
  const Integer wide{static_cast<std::uint64_t>(value), kLongLong};
  if (!Fits(wide, type)) return {{}, kOverflow};
  return {Convert(wide, type)};
}

Computed SignedArithmetic(char op, Integer a, Integer b) {
  const auto x = static_cast<std::int64_t>(a.bits), y = static_cast<std::int64_t>(b.bits);
  std::int64_t result = 0;
  switch (op) {
    case '+':
      if (__builtin_add_overflow(x, y, &result)) return {{}, kOverflow};
      break;
    case '-':
      if (__builtin_sub_overflow(x, y, &result)) return {{}, kOverflow};
      break;
    case '*':
      if (__builtin_mul_overflow(x, y, &result)) return {{}, kOverflow};
      break;
    default:
      if (y == 0) return {{}, "division by zero"};
      if (y == -1 && x == std::numeric_limits<std::int64_t>::min()) return {{}, kOverflow};
      // `INT_MIN % -1` is also an overflow, although the remainder would fit.
      if (op == '%' && FromSigned(x / y, a.type).error != nullptr) return {{}, kOverflow};
      result = op == '/' ? x / y : x % y;
  }
  return FromSigned(result, a.type);
}

Computed UnsignedArithmetic(char op, Integer a, Integer b) {
  std::uint64_t result = 0;
  switch (op) {
    case '+':
      result = a.bits + b.bits;
      break;
    case '-':
      result = a.bits - b.bits;
      break;
    case '*':
      result = a.bits * b.bits;
      break;
    default:
      if (b.bits == 0) return {{}, "division by zero"};
      result = op == '/' ? a.bits / b.bits : a.bits % b.bits;
  }
  return {Convert({result, kUnsignedLongLong}, a.type)};
}

Computed Shift(std::string_view op, Integer value, Integer count) {
  value = Convert(value, Promoted(value.type));
  if (count.Negative() || count.bits >= value.type.bits)
    return {{}, "the shift count is out of range for the type"};
  const auto n = static_cast<unsigned>(count.bits);
  if (op == "<<") return {Convert({value.bits << n, kUnsignedLongLong}, value.type)};
  if (value.type.is_signed) {
    return {{static_cast<std::uint64_t>(static_cast<std::int64_t>(value.bits) >> n), value.type}};
  }
  return {{value.bits >> n, value.type}};
}

}  // namespace

std::optional<std::int64_t> Integer::Signed() const {
  if (!type.is_signed &&
      bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  return static_cast<std::int64_t>(bits);
}

std::string Integer::Text() const {
  return type.is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
}

Integer Convert(Integer value, IntegerType type) {
  if (type == kBool) return Bool(value.bits != 0);
  if (type.bits == 64) return {value.bits, type};
  const std::uint64_t mask = (std::uint64_t{1} << type.bits) - 1;
  std::uint64_t bits = value.bits & mask;
  if (type.is_signed && (bits >> (type.bits - 1)) != 0) bits |= ~mask;
  return {bits, type};
}

bool Fits(Integer value, IntegerType type) {
  const Integer converted = Convert(value, type);
  return converted.bits == value.bits && converted.Negative() == value.Negative();
}

IntegerType Common(IntegerType a, IntegerType b) {
  a = Promoted(a), b = Promoted(b);
  if (a.is_signed == b.is_signed) return a.rank >= b.rank ? a : b;
  const IntegerType with_sign = a.is_signed ? a : b, without = a.is_signed ? b : a;
  if (without.rank >= with_sign.rank) return without;
  if (with_sign.bits > without.bits) return with_sign;
  return {with_sign.bits, false, with_sign.rank};
}

std::optional<Integer> Successor(Integer value) {
  for (const IntegerType type : {value.type, kInt, kUnsigned, kLong, kUnsignedLong}) {
    if (type.rank < value.type.rank || type == kBool || !Fits(value, type)) continue;
    const Integer next = Convert({value.bits + 1, type}, type);
    const bool wrapped = type.is_signed ? static_cast<std::int64_t>(next.bits) <=
                                              static_cast<std::int64_t>(value.bits)
                                        : next.bits <= value.bits;
    if (!wrapped || value.Negative()) return next;
  }
  return std::nullopt;
}

Computed Binary(std::string_view op, Integer left, Integer right) {
  if (op == "<<" || op == ">>") return Shift(op, left, right);
  const IntegerType type = Common(left.type, right.type);
  left = Convert(left, type), right = Convert(right, type);
  if (op == "&") return {{left.bits & right.bits, type}};
  if (op == "|") return {{left.bits | right.bits, type}};
  if (op == "^") return {{left.bits ^ right.bits, type}};
  if (op == "+" || op == "-" || op == "*" || op == "/" || op == "%") {
    return type.is_signed ? SignedArithmetic(op[0], left, right)
                          : UnsignedArithmetic(op[0], left, right);
  }
  return Compare(op, left, right);
}

Computed Unary(std::string_view op, Integer operand) {
  if (op == "!") return {Bool(operand.bits == 0)};
  operand = Convert(operand, Promoted(operand.type));
  if (op == "+") return {operand};
  if (op == "~") return {Convert({~operand.bits, operand.type}, operand.type)};
  return Binary("-", {0, operand.type}, operand);
}

}  // namespace revctl::list::detail
