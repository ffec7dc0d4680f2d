#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include <revctl/plain/layout.h>
#include <revctl/plain/number.h>
#include <revctl/plain/trouble.h>

// Ready-made conversions: what a field becomes when DEAD(old, name, a, b) is followed by FIELD(new,
// name, b).
namespace revctl::detail {

struct PlainIntegerBits {
  bool is_signed;
  int bits;  ///< 0: no integer
};
constexpr PlainIntegerBits PlainBitsOf(Kind kind) {
  switch (kind) {
    case Kind::I8:
      return {true, 8};
    case Kind::I16:
      return {true, 16};
    case Kind::I32:
      return {true, 32};
    case Kind::I64:
      return {true, 64};
    case Kind::Bool:
      return {false, 1};
    case Kind::U8:
      return {false, 8};
    case Kind::U16:
      return {false, 16};
    case Kind::U32:
      return {false, 32};
    case Kind::U64:
      return {false, 64};
    default:
      return {false, 0};
  }
}

/// Every number of kind `from` is one of kind `to`, up to rounding where `to` is a float: i16 to
/// i32, u8 to i16, bool to u8, i32 to f32 (to the nearest, as in C, where it is beyond 2^24; i64 to
/// f64 beyond 2^53), f32 to f64. What could fail on some file (narrower, or signed to unsigned) is
/// for a HOP to decide.
constexpr bool PlainKindWidens(Kind from, Kind to) {
  if (from == to) return true;
  const PlainIntegerBits a = PlainBitsOf(from), b = PlainBitsOf(to);
  const bool to_real = to == Kind::F32 || to == Kind::F64;
  if (a.bits == 0) return from == Kind::F32 && to == Kind::F64;
  if (to_real) return from != Kind::Bool;
  if (a.is_signed == b.is_signed) return a.bits <= b.bits;
  return !a.is_signed && a.bits < b.bits;
}

/// A field of shape `from` turns into one of shape `to` without a handler. Array extents may
/// differ, their number not.
constexpr bool PlainReadyMade(const PlainShape& from, const PlainShape& to) {
  if (from.rank != to.rank) return false;
  if (from.Record() || to.Record()) return from.nested == to.nested;
  return PlainKindWidens(from.underlying, to.underlying);
}

/// As below, for arrays of any extents; one dimension after another.
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

/// Calls `each(from_leaf, to_leaf)` for the leaves that two arrays of the same rank have in common,
/// by index in each dimension. Stops at the first false, and returns it.
template <class Each>
bool ForEachPlainCommon(const PlainShape& from, const PlainShape& to, Each&& each) {
  if (from.extents != to.extents) return ForEachPlainCommonIn(from, to, each, 0, 0, 0);
  for (std::size_t i = 0; i < from.count; ++i) {
    if (!each(i, i)) return false;
  }
  return true;
}

/// One leaf, no record, from one shape to another. False and the reason where `to` has no such
/// value.
inline bool PlainConvertLeaf(const PlainShape& from, const std::byte* src, const PlainShape& to,
                             std::byte* dst, std::string& reason) {
  const PlainNumberValue value = PlainReadNumber(from.underlying, src);
  const auto refuse = [&] {
    const std::string text = value.kind == PlainNumberValue::Class::Signed ? std::to_string(value.i)
                             : value.kind == PlainNumberValue::Class::Unsigned
                                 ? std::to_string(value.u)
                                 : std::to_string(value.real);
    reason =
        text + (to.kind == Kind::Enum ? " has no enumerator"
                                      : std::string(" does not fit ") + PlainKindText(to.kind));
    return false;
  };
  std::byte out[8];
  if (from.underlying == to.underlying) {
    std::memcpy(out, src, to.unit);  // bit by bit: a NaN keeps its payload
  } else if (!PlainWriteNumber(to.underlying, value, out)) {
    return refuse();
  }
  if (to.Checked() && to.first_bad(out, 1) != 1) return refuse();
  std::memcpy(dst, out, to.unit);
  return true;
}

}  // namespace revctl::detail
