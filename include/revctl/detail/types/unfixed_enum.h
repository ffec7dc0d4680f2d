#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <revctl/detail/types/enum_names.h>

// Enums without a fixed underlying type (`enum Color { Red, Green };`) hold no more values than
// their enumerators need bits for: another one in their memory is undefined behaviour. So reading
// checks them, and writing too, since what cannot be read must not be written. An `enum Color :
// int` and every `enum class` hold any value, are not checked, and are faster.

namespace revctl::detail {

template <class E>
inline constexpr bool kIsUnfixedEnum = false;
template <class E>
requires(std::is_enum_v<E> &&
         !requires { E{0}; })  // only a fixed type lets a number initialise an enum
    inline constexpr bool kIsUnfixedEnum<E> = true;

inline constexpr char kNotOfEnum[] =
    "the value is none of this enum, which has no fixed underlying type; write `enum E : int32_t`, "
    "or name its enumerators "
    "(REVCTL_ENUMERATORS)";

/// The values that an enum without a fixed type can hold, from its enumerators as enum_names.h
/// finds them. All, where it finds none.
struct EnumRange {
  std::int64_t lowest = (std::numeric_limits<std::int64_t>::min)();
  std::int64_t highest = (std::numeric_limits<std::int64_t>::max)();

  explicit EnumRange(const Enumerator* list) {
    if (list == nullptr || list->name == nullptr) return;
    std::int64_t
        least = 0,
        bits = 0;  // `bits`: those that any enumerator, or the complement of a negative one, needs
    for (; list->name != nullptr; ++list) {
      least = (std::min)(least, list->value);
      bits |= list->value < 0 ? ~list->value : list->value;
    }
    highest = 1;  // an enum of zeros alone holds one bit all the same
    while (highest < bits) highest = highest * 2 + 1;
    lowest = least < 0 ? -highest - 1 : 0;
  }
};

/// Whether a number is a value of E.
template <class E>
bool IsNumberOfEnum(std::underlying_type_t<E> number) {
  static const EnumRange range(EnumeratorsWithNames<E>());
  // Enumerators are known as int64_t: numbers above that are none.
  if (number > 0 && static_cast<std::uint64_t>(number) > static_cast<std::uint64_t>(range.highest))
    return false;
  return static_cast<std::int64_t>(number) >= range.lowest;
}
/// The same of the bytes of a value.
template <class E>
bool IsOfEnum(const E& value) {
  std::underlying_type_t<E> number;
  std::memcpy(&number, &value, sizeof number);
  return IsNumberOfEnum<E>(number);
}

}  // namespace revctl::detail
