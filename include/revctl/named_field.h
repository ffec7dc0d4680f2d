#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "revctl/archive.h"

// For adapters of code bases that have serialisation macros of their own:
// docs/adopt-in-an-afternoon.md.

namespace revctl {

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
