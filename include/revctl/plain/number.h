#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include <revctl/plain/shape.h>

// One number of any kind, for conversions between kinds and for messages.
namespace revctl::detail {

/// A leaf's value, wide enough for all kinds. Integers keep all 64 bits.
struct PlainNumberValue {
  enum class Class : std::uint8_t { Signed, Unsigned, Real } kind = Class::Unsigned;
  std::int64_t i = 0;
  std::uint64_t u = 0;
  double real = 0;
};

template <class T>
T PlainPeek(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The leaf at `at` (host order, unaligned). `kind` is no Enum: pass the underlying kind.
inline PlainNumberValue PlainReadNumber(Kind kind, const std::byte* at) {
  using Class = PlainNumberValue::Class;
  const auto integer = [](std::int64_t i) { return PlainNumberValue{Class::Signed, i, 0, 0}; };
  const auto natural = [](std::uint64_t u) { return PlainNumberValue{Class::Unsigned, 0, u, 0}; };
  switch (kind) {
    case Kind::I8:
      return integer(PlainPeek<std::int8_t>(at));
    case Kind::I16:
      return integer(PlainPeek<std::int16_t>(at));
    case Kind::I32:
      return integer(PlainPeek<std::int32_t>(at));
    case Kind::I64:
      return integer(PlainPeek<std::int64_t>(at));
    case Kind::U16:
      return natural(PlainPeek<std::uint16_t>(at));
    case Kind::U32:
      return natural(PlainPeek<std::uint32_t>(at));
    case Kind::U64:
      return natural(PlainPeek<std::uint64_t>(at));
    case Kind::F32:
      return {Class::Real, 0, 0, static_cast<double>(PlainPeek<float>(at))};
    case Kind::F64:
      return {Class::Real, 0, 0, PlainPeek<double>(at)};
    default:
      return natural(PlainPeek<std::uint8_t>(at));  // U8 and Bool
  }
}

/// Writes `value` as integer type T where T can hold it.
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
    // Compared as doubles: 2^digits is exact, while the largest integer itself may not be.
    const double above = std::ldexp(1.0, Limits::digits);
    const double lowest = Limits::is_signed ? -above : 0.0;
    if (!(value.real >= lowest && value.real < above) || std::trunc(value.real) != value.real)
      return false;
    out = static_cast<T>(value.real);
  }
  std::memcpy(to, &out, sizeof out);
  return true;
}

/// Writes `value` as a leaf of `kind`. False, and nothing written, where the kind has no such
/// number: an integer out of range or with a fraction, a bool other than 0 and 1, a double beyond
/// the range of float. In range a real takes the nearest number, as in C; infinities and NaNs are
/// reals of either size.
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
