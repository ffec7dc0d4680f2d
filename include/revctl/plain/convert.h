#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <revctl/detail/types/leaf_text.h>
#include <revctl/plain/layout.h>
#include <revctl/plain/table.h>
#include <revctl/plain/trouble.h>

// Reads and writes numbers whose kind is known only at run time, to convert them to other kinds and
// to print them in messages.
namespace revctl::detail {

/// The value of a leaf of any kind. Integers keep all 64 bits.
struct PlainNumberValue {
  enum class Class : std::uint8_t { Signed, Unsigned, Real } kind = Class::Unsigned;
  std::int64_t i = 0;
  std::uint64_t u = 0;
  double real = 0;
};

inline std::string PlainNumberText(const PlainNumberValue& value) {
  using Class = PlainNumberValue::Class;
  return value.kind == Class::Signed     ? std::to_string(value.i)
         : value.kind == Class::Unsigned ? std::to_string(value.u)
                                         : std::to_string(value.real);
}

/// Reads the leaf at `at`, which is in host byte order and may be unaligned. For an enum, pass the
/// underlying kind.
inline PlainNumberValue PlainReadNumber(Kind kind, const std::byte* at) {
  using Class = PlainNumberValue::Class;
  if (kind == Kind::F32) return {Class::Real, 0, 0, static_cast<double>(LoadAs<float>(at))};
  if (kind == Kind::F64) return {Class::Real, 0, 0, LoadAs<double>(at)};
  const std::int64_t number = LoadInteger(kind, at);
  if (IsSigned(kind)) return {Class::Signed, number, 0, 0};
  return {Class::Unsigned, 0, static_cast<std::uint64_t>(number), 0};
}

/// Writes `value` as a T. Returns false if T cannot represent it.
template <class T>
bool PlainPokeInteger(const PlainNumberValue& value, std::byte* to) {
  using Class = PlainNumberValue::Class;
  using Limits = std::numeric_limits<T>;
  T out;
  if (value.kind == Class::Signed) {
    if (!std::in_range<T>(value.i)) return false;
    out = static_cast<T>(value.i);
  } else if (value.kind == Class::Unsigned) {
    if (!std::in_range<T>(value.u)) return false;
    out = static_cast<T>(value.u);
  } else {
    // Check the range in doubles: 2^digits is exact as a double, but the largest integer may not
    // be.
    const double above = std::ldexp(1.0, Limits::digits);
    const double lowest = Limits::is_signed ? -above : 0.0;
    if (!(value.real >= lowest && value.real < above) || std::trunc(value.real) != value.real)
      return false;
    out = static_cast<T>(value.real);
  }
  std::memcpy(to, &out, sizeof out);
  return true;
}

/// Writes `value` as a leaf of kind `kind`. Returns false without writing if that kind cannot
/// represent the value, for example because it is out of range, not an integer, or (for a bool)
/// neither 0 nor 1. Rounds reals to the nearest representable value, and preserves infinities and
/// NaNs.
inline bool PlainWriteNumber(Kind kind, const PlainNumberValue& value, std::byte* to) {
  using Class = PlainNumberValue::Class;
  const double real = value.kind == Class::Real     ? value.real
                      : value.kind == Class::Signed ? static_cast<double>(value.i)
                                                    : static_cast<double>(value.u);
  switch (kind) {
    case Kind::I8:
      return PlainPokeInteger<std::int8_t>(value, to);
    case Kind::I16:
      return PlainPokeInteger<std::int16_t>(value, to);
    case Kind::I32:
      return PlainPokeInteger<std::int32_t>(value, to);
    case Kind::I64:
      return PlainPokeInteger<std::int64_t>(value, to);
    case Kind::U8:
      return PlainPokeInteger<std::uint8_t>(value, to);
    case Kind::U16:
      return PlainPokeInteger<std::uint16_t>(value, to);
    case Kind::U32:
      return PlainPokeInteger<std::uint32_t>(value, to);
    case Kind::U64:
      return PlainPokeInteger<std::uint64_t>(value, to);
    case Kind::Bool: {
      std::byte flag{};
      if (!PlainPokeInteger<std::uint8_t>(value, &flag) || static_cast<unsigned char>(flag) > 1)
        return false;
      *to = flag;
      return true;
    }
    case Kind::F32: {
      if (std::isfinite(real) &&
          std::fabs(real) > static_cast<double>((std::numeric_limits<float>::max)()))
        return false;
      const float out = static_cast<float>(real);
      std::memcpy(to, &out, sizeof out);
      return true;
    }
    default:
      std::memcpy(to, &real, sizeof real);
      return true;
  }
}

}  // namespace revctl::detail

// Built-in conversions, which apply where DEAD(old, name, a, b) is followed by FIELD(new, name, b).
namespace revctl::detail {

struct PlainIntegerBits {
  bool is_signed;
  int bits;  ///< 0 if the kind is not an integer
};
constexpr PlainIntegerBits PlainBitsOf(Kind kind) {
  if (kind > Kind::U64) return {false, 0};
  return {IsSigned(kind), kind == Kind::Bool ? 1 : 8 * static_cast<int>(ScalarSize(kind))};
}

/// True if every number of kind `from` can be converted to `to`, possibly with rounding if `to` is
/// a float: i16 to i32, u8 to i16, bool to u8, i32 to f32 (rounded beyond 2^24), i64 to f64
/// (rounded beyond 2^53), f32 to f64. Conversions that can fail for some files (to a narrower type,
/// or from signed to unsigned) need a HOP.
constexpr bool PlainKindWidens(Kind from, Kind to) {
  if (from == to) return true;
  const PlainIntegerBits a = PlainBitsOf(from), b = PlainBitsOf(to);
  const bool to_real = to == Kind::F32 || to == Kind::F64;
  if (a.bits == 0) return from == Kind::F32 && to == Kind::F64;
  if (to_real) return from != Kind::Bool;
  if (a.is_signed == b.is_signed) return a.bits <= b.bits;
  return !a.is_signed && a.bits < b.bits;
}

/// True if a field of shape `from` can be converted to shape `to` without a handler. Array extents
/// may differ, but not the number of dimensions.
constexpr bool PlainReadyMade(const PlainShape& from, const PlainShape& to) {
  if (from.rank != to.rank) return false;
  if (from.Record() || to.Record()) return from.nested == to.nested;
  return PlainKindWidens(from.underlying, to.underlying);
}

/// Implements ForEachPlainCommon() for arrays with different extents, by recursion over the
/// dimensions.
template <class Each>
bool ForEachPlainCommonIn(const PlainShape& from, const PlainShape& to, Each&& each, int dimension,
                          std::size_t from_base, std::size_t to_base) {
  if (dimension == from.rank) return each(from_base, to_base);
  const auto d = static_cast<std::size_t>(dimension);
  const std::size_t common = (std::min)(from.extents[d], to.extents[d]);
  for (std::size_t i = 0; i < common; ++i) {
    if (!ForEachPlainCommonIn(from, to, each, dimension + 1, from_base * from.extents[d] + i,
                              to_base * to.extents[d] + i)) {
      return false;
    }
  }
  return true;
}

/// Calls `each(from_index, to_index)` for each element that two arrays of the same rank have in
/// common, with the element's flat index in either array. Stops and returns false as soon as `each`
/// returns false.
template <class Each>
bool ForEachPlainCommon(const PlainShape& from, const PlainShape& to, Each&& each) {
  if (from.extents != to.extents) return ForEachPlainCommonIn(from, to, each, 0, 0, 0);
  for (std::size_t i = 0; i < from.count; ++i) {
    if (!each(i, i)) return false;
  }
  return true;
}

/// Converts one leaf, which must not be a record. Returns false and sets `reason` if type `to`
/// cannot represent the value.
inline bool PlainConvertLeaf(const PlainShape& from, const std::byte* src, const PlainShape& to,
                             std::byte* dst, std::string& reason) {
  const PlainNumberValue value = PlainReadNumber(from.underlying, src);
  const auto refuse = [&] {
    reason = PlainNumberText(value) +
             (to.kind == Kind::Enum ? " has no enumerator"
                                    : std::string(" does not fit ") + PlainKindText(to.kind));
    return false;
  };
  std::byte out[8];
  if (from.underlying == to.underlying) {
    std::memcpy(out, src, to.unit);  // copies the bits, so that a NaN keeps its payload
  } else if (!PlainWriteNumber(to.underlying, value, out)) {
    return refuse();
  }
  if (to.Checked() && to.first_bad(out, 1) != 1) return refuse();
  std::memcpy(dst, out, to.unit);
  return true;
}

}  // namespace revctl::detail
