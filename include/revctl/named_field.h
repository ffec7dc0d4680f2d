#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <revctl/detail/visit/archive.h>

// For adapters of code bases that have serialisation macros of their own:
// docs/adopt-in-an-afternoon.md.

namespace revctl {

/// Where a line of the program stands. As the default argument of an adapter's function it is the
/// caller's line, so that findings point there. std::source_location does the same, where the
/// compiler has it.
class CallSite {
 public:
  static constexpr CallSite Current(const char* file = __builtin_FILE(),
                                    int line = __builtin_LINE()) {
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

/// Visits a part of the object at hand under a name that is not spelled by a macro of this library:
/// `Level.name`. `name` must live as long as the program. Has no gate: the caller decides at which
/// revisions it is visited, by comparing `r.revision`, which archives notice. Only inside bodies;
/// on the wire it is the value, as everywhere.
template <class R, class T>
constexpr void SerializeNamed(R& r, const char* name, T& value, const char* file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
  if constexpr (detail::kErased<R>) {
    const Site site{Form::Plain, name, "", "", "", "", file, line};
    r.Field({.site = site, .type = TypeOf<T>(), .value = std::addressof(value)});
  } else {
    r.Value(value);
  }
}

/// The same with the place of the program's own line: a CallSite or a std::source_location.
template <class R, class T, detail::IsCallSite At>
constexpr void SerializeNamed(R& r, const char* name, T& value, const At& at) {
  SerializeNamed(r, name, value, at.file_name(), static_cast<int>(at.line()));
}

/// `count` values behind a pointer, one after another: the program knows how many there are, so no
/// count is on the wire. They are one field, the element's type is its type.
template <class R, class T, detail::IsCallSite At = CallSite>
constexpr void SerializeArray(R& r, const char* name, T* first, std::size_t count,
                              const At& at = At::Current()) {
  for (std::size_t i = 0; i < count && r.Ok(); ++i) SerializeNamed(r, name, first[i], at);
}

/// Whether `r` makes up what it reads, for samples and backfills. A body that would refuse what was
/// made up gives a value that it takes; else no sample comes behind that place.
template <class R>
constexpr bool MakesValues(const R& r) {
  if constexpr (detail::kErased<R>) {
    return r.MakesValues();
  } else {
    return false;
  }
}

/// A constant of the file: a mark, the name or the version of a section. A file that has another
/// value there is refused, with `reason`. Where values are made up, it is the constant.
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

/// "0", "1", ...: names for fields that have none, by their place in the body. Beyond 999 all are
/// "more".
constexpr const char* PlaceName(std::size_t place) {
  return place < detail::kPlaces ? detail::kPlaceNames[place].data() : "more";
}

}  // namespace revctl
