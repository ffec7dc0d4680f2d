#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// The list of fields that FIELD and DEAD leave behind in a struct, read back as types. Each macro
// declares (never defines) overloads of static member functions; their number is counted by
// overload resolution on a chain of ranks. Declarations alone, because a class is incomplete while
// its members are declared, and so that a HOP body may stand before the fields it names.
namespace revctl::detail {

/// Most fields, dead ones included, that one struct can list. Structs may be nested to have more.
inline constexpr int kPlainMembers = 256;

template <int N>
struct PlainRank : PlainRank<N - 1> {};
template <>
struct PlainRank<0> {};
template <int N>
using PlainIndex = std::integral_constant<int, N>;

/// A field's name as a template argument: `from.Get<"angle">()`.
template <std::size_t N>
struct PlainName {
  char text[N];
  consteval PlainName(
      const char (&literal)[N]) {  // NOLINT: implicit, so that a literal is an argument
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
};

constexpr bool SamePlainName(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

/// `until` of a field that lives today.
inline constexpr std::int64_t kPlainLives = (std::numeric_limits<std::int64_t>::max)();

/// What one FIELD or DEAD says. Live at revision n when since <= n < until.
template <class T, PlainName Name, std::int64_t Since, std::int64_t Until>
struct PlainMember {
  using Type = T;
  static constexpr const char* name = Name.text;
  static constexpr std::int64_t since = Since;
  static constexpr std::int64_t until = Until;
  static constexpr bool lives = Until == kPlainLives;
};

/// How FIELD or DEAD was spelled, and where; for messages and layouts.
struct PlainTexts {
  const char* since;
  const char* until;     ///< empty for FIELD
  const char* fallback;  ///< DEAD_WITH's value, else empty
  const char* file;
  int line;
};

/// Marks the handler of the hop into revision `Number`.
template <std::int64_t Number>
struct PlainHopInto {
  static constexpr std::int64_t number = Number;
};

/// A revision as the macros take it (an enumerator of any enum, or an integer), as its number.
template <class T>
constexpr std::int64_t PlainNumber(T revision) {
  return static_cast<std::int64_t>(revision);
}

/// Structs that say PLAIN(T); a class derived from one is not one.
template <class T>
concept PlainType = std::same_as<typename T::RevctlPlainSelf, T>;

template <PlainType T>
inline constexpr int plain_members =
    decltype(T::RevctlPlainCount(PlainRank<kPlainMembers>{}))::value;
template <PlainType T>
inline constexpr int plain_hops = decltype(T::RevctlPlainHops(PlainRank<kPlainMembers>{}))::value;

template <PlainType T, int I>
using PlainMemberAt = decltype(T::RevctlPlainField(PlainIndex<I>{}));
template <PlainType T, int I>
using PlainHopAt = decltype(T::RevctlPlainHop(PlainIndex<I>{}));

/// Member of `T` with this name that is live at `revision`, or -1.
template <PlainType T>
constexpr int PlainFind(const char* name, std::int64_t revision) {
  int found = -1;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((found < 0 && SamePlainName(PlainMemberAt<T, I>::name, name) &&
              PlainMemberAt<T, I>::since <= revision && revision < PlainMemberAt<T, I>::until
          ? void(found = I)
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, plain_members<T>>{});
  return found;
}

}  // namespace revctl::detail
