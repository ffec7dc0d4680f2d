#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/visit/archive.h>

// Functions that visit fields, for code bases that adapt their own serialization macros; see
// docs/guide/adopt.md.

namespace revctl {

/// A source location. When used as the default argument of an adapter's function, it captures the
/// caller's location, so that findings point there. std::source_location also works if the compiler
/// supports it.
class CallSite {
 public:
  static constexpr CallSite Current(const char* file = REVCTL_DETAIL_FILE,
                                    int line = REVCTL_DETAIL_LINE) {
    return {file, line};
  }
  constexpr const char* file_name() const { return file_; }
  constexpr int line() const { return line_; }

 private:
  constexpr CallSite(const char* file, int line) : file_(file), line_(line) {}
  const char* file_;
  int line_;
};

namespace detail {

template <class At>
concept IsCallSite = requires(const At& at) {
  static_cast<const char*>(at.file_name());
  static_cast<int>(at.line());
};

template <class T>
concept IsLeaf = std::is_arithmetic_v<T> || std::is_enum_v<T> || kIsString<T>;

}  // namespace detail

/// Visits a value as the field `name` (its path is `Level.name`) without using this library's
/// macros. `name` must have static storage. The field has no gate: the caller compares `r.revision`
/// to decide whether to visit the field, and archives notice the comparison. Call this only inside
/// bodies. Only the value is written, not the name.
template <class R, class T>
constexpr void SerializeNamed(R& r, const char* name, T& value,
                              const char* file = REVCTL_DETAIL_FILE,
                              int line = REVCTL_DETAIL_LINE) {
  if constexpr (detail::kErased<R>) {
    r.Named(name, file, line, value);
  } else {
    r.Field(value, name);
  }
}

/// Visits a named value with an explicit source location: a CallSite or a std::source_location.
template <class R, class T, detail::IsCallSite At>
constexpr void SerializeNamed(R& r, const char* name, T& value, const At& at) {
  SerializeNamed(r, name, value, at.file_name(), static_cast<int>(at.line()));
}

/// Visits `count` consecutive values as one named field whose type is the element type. The count
/// is not on the wire, because the program knows it.
template <class R, class T, detail::IsCallSite At = CallSite>
constexpr void SerializeArray(R& r, const char* name, T* first, std::size_t count,
                              const At& at = At::Current()) {
  for (std::size_t i = 0; i < count && r.Ok(); ++i) SerializeNamed(r, name, first[i], at);
}

/// True if `r` makes up the values that it "reads" in order to create samples or backfills. A body
/// that would reject a made-up value should replace it with an acceptable one; otherwise the sample
/// ends at that field.
template <class R>
constexpr bool MakesValues(const R& r) {
  if constexpr (detail::kErased<R>) {
    return r.MakesValues();
  } else {
    return false;
  }
}

/// Visits a value that is the same in every file, such as a marker or the name or version of a
/// section. If the file contains a different value, reading fails with `reason`. Archives that make
/// up values receive the constant.
template <class R, detail::IsLeaf T, detail::IsCallSite At = CallSite>
constexpr void SerializeConstant(R& r, const char* name, T constant, const char* reason,
                                 const At& at = At::Current()) {
  T value = constant;
  SerializeNamed(r, name, value, at);
  if (value == constant) return;
  if constexpr (detail::kErased<R>) {
    if (r.MakesValues()) return r.ChoseValue(TypeOf<T>(), &constant);
  }
  r.Fail(reason);
}

namespace detail {

inline constexpr std::size_t kPlaces = 1000;
inline constexpr auto kPlaceNames = [] {
  std::array<std::array<char, 4>, kPlaces> names{};
  for (std::size_t i = 0; i < kPlaces; ++i) {
    std::size_t at = 0;
    if (i >= 100) names[i][at++] = static_cast<char>('0' + i / 100);
    if (i >= 10) names[i][at++] = static_cast<char>('0' + i / 10 % 10);
    names[i][at] = static_cast<char>('0' + i % 10);
  }
  return names;
}();

}  // namespace detail

/// Returns a name for an unnamed field: its position in the body, such as "0" or "1". Positions
/// above 999 are called "more".
constexpr const char* PlaceName(std::size_t place) {
  return place < detail::kPlaces ? detail::kPlaceNames[place].data() : "more";
}

}  // namespace revctl
