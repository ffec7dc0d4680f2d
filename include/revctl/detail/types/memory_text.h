#pragma once
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include <revctl/detail/types/aggregate_members.h>

// Converts an in-memory value to text. The harness compares this text for types with a WireAs,
// because the wire value may not reveal a change in the conversion.

namespace revctl::detail {

template <class T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// A std::chrono duration, or a class with a similar count().
template <class T>
concept HasCount = std::is_class_v<T> && std::is_trivially_copyable_v<T> && requires(const T& t) {
  requires std::is_arithmetic_v<decltype(t.count())>;
};

/// A class that consists of a single integer, without padding, and is smaller than a pointer.
template <class T>
inline constexpr bool kIsOneInteger = std::is_class_v<T>&& std::is_trivially_copyable_v<T>&&
                                          std::has_unique_object_representations_v<T> &&
                                      sizeof(T) < sizeof(void*) &&
                                      (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4);

/// Converts to any member type, but not to a base class, because structured bindings cannot name
/// base classes.
template <class T>
struct AnyMember {
  template <class M>
  requires(!std::is_base_of_v<M, T>) operator M() const;
};

template <class T>
consteval std::size_t NamedMembers() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T> ||
                !std::is_trivially_copyable_v<T>) {
    return 0;
  } else {
    using A = AnyMember<T>;
    constexpr std::size_t count = AggregateMembers<T>();
    if constexpr (count == 1 && requires { T{A()}; }) return 1;
    else if constexpr (count == 2 && requires { T{A(), A()}; }) return 2;
    else if constexpr (count == 3 && requires { T{A(), A(), A()}; }) return 3;
    else if constexpr (count == 4 && requires { T{A(), A(), A(), A()}; }) return 4;
    else if constexpr (count == 5 && requires { T{A(), A(), A(), A(), A()}; }) return 5;
    else if constexpr (count == 6 && requires { T{A(), A(), A(), A(), A(), A()}; }) return 6;
    else if constexpr (count == 7 && requires { T{A(), A(), A(), A(), A(), A(), A()}; }) return 7;
    else if constexpr (count == 8 && requires { T{A(), A(), A(), A(), A(), A(), A(), A()}; })
      return 8;
    else return 0;
  }
}

template <class T>
std::string NumberText(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return NumberText(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  } else if constexpr (std::is_signed_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else {
    return std::to_string(static_cast<unsigned long long>(value));
  }
}

/// Calls `f` with the members of an aggregate, which must have one to eight members.
template <class T, class F>
auto WithMembers(const T& value, F f) {
  constexpr std::size_t count = NamedMembers<T>();
  if constexpr (count == 1) {
    const auto& [a] = value;
    return f(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = value;
    return f(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = value;
    return f(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = value;
    return f(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = value;
    return f(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, g] = value;
    return f(a, b, c, d, e, g);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, g, h] = value;
    return f(a, b, c, d, e, g, h);
  } else {
    const auto& [a, b, c, d, e, g, h, i] = value;
    return f(a, b, c, d, e, g, h, i);
  }
}

struct AreNumbers {
  template <class... M>
  constexpr auto operator()(const M&...) const {
    return std::bool_constant<(kIsNumber<M> && ...)>();
  }
};

/// True for an aggregate of up to eight numbers, which may be bit-fields.
template <class T>
consteval bool HoldsNumbers() {
  if constexpr (NamedMembers<T>() != 0) {
    return decltype(WithMembers(std::declval<const T&>(), AreNumbers()))::value;
  } else {
    return false;
  }
}

/// True if MemoryText() supports T: a number, a duration, a class that contains one integer, or an
/// aggregate of up to eight numbers.
template <class T>
inline constexpr bool kTellsMemory = kIsNumber<T> || HasCount<T> || kIsOneInteger<T> ||
                                     HoldsNumbers<T>();
/// True if the text of T is one integer. An aggregate of several numbers is instead printed as one
/// number per member, so that swapped members are noticed.
template <class T>
inline constexpr bool kIsTextOfInteger =
    kIsOneInteger<T> && !(HoldsNumbers<T>() && NamedMembers<T>() > 1);

struct HoldFloat {
  template <class... M>
  constexpr auto operator()(const M&...) const {
    return std::bool_constant<(std::is_floating_point_v<M> || ...)>();
  }
};

/// True if T is a float or a duration, or has a member that is a float.
template <class T>
consteval bool MayRound() {
  if constexpr (kIsNumber<T>) {
    return std::is_floating_point_v<T>;
  } else if constexpr (HasCount<T>) {
    return true;
  } else if constexpr (kIsTextOfInteger<T>) {
    return false;
  } else {
    return decltype(WithMembers(std::declval<const T&>(), HoldFloat()))::value;
  }
}
template <class T>
inline constexpr bool kMayRound = MayRound<T>();

/// Returns the text of a value, such as `1500`, or `0.5 1 -2` for an aggregate.
template <class T>
std::string MemoryText(const T& value) {
  if constexpr (kIsNumber<T>) {
    return NumberText(value);
  } else if constexpr (HasCount<T>) {
    return NumberText(value.count());
  } else if constexpr (kIsTextOfInteger<T>) {
    std::conditional_t<sizeof(T) == 1, std::int8_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t, std::int32_t>>
        number;
    std::memcpy(&number, &value, sizeof number);
    return NumberText(number);
  } else {
    return WithMembers(value, [](const auto&... member) {
      std::string text;
      ((text += (text.empty() ? "" : " ") + NumberText(member)), ...);
      return text;
    });
  }
}

}  // namespace revctl::detail
