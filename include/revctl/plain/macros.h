#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

// FIELD and DEAD build a list of the struct's fields, in the form of types. Each macro declares
// (but never defines) overloads of static member functions, and overload resolution on a chain of
// ranks counts these overloads. Declarations work even while the class is incomplete, and let a HOP
// body use fields that are declared after it.
namespace revctl::detail {

/// Maximum number of fields in one struct, including dead fields but not the fields of nested
/// structs.
inline constexpr int kPlainMembers = 256;

template <int N>
struct PlainRank : PlainRank<N - 1> {};
template <>
struct PlainRank<0> {};
template <int N>
using PlainIndex = std::integral_constant<int, N>;

/// A field name as a template argument: `from.Get<"angle">()`.
template <std::size_t N>
struct PlainName {
  char text[N];
  consteval PlainName(
      const char (&literal)[N]) {  // NOLINT: implicit, so that literals can be arguments
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
};

constexpr bool SamePlainName(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

/// The value of `until` for a field that is live at the current revision.
inline constexpr std::int64_t kPlainLives = (std::numeric_limits<std::int64_t>::max)();

/// Represents a FIELD or DEAD as a type. The field exists at revision n if since <= n < until.
template <class T, PlainName Name, std::int64_t Since, std::int64_t Until>
struct PlainMember {
  using Type = T;
  static constexpr const char* name = Name.text;
  static constexpr std::int64_t since = Since;
  static constexpr std::int64_t until = Until;
  static constexpr bool lives = Until == kPlainLives;
};

/// Source text and location of a FIELD or DEAD macro, for messages and layouts.
struct PlainTexts {
  const char* since;
  const char* until;     ///< empty for FIELD
  const char* fallback;  ///< the value of DEAD_WITH; empty for other macros
  const char* file;
  int line;
};

/// Tag type that identifies the HOP handler for revision `Number`.
template <std::int64_t Number>
struct PlainHopInto {
  static constexpr std::int64_t number = Number;
};

/// Returns a macro's revision argument, an integer or an enumerator of any enum, as a number.
template <class T>
constexpr std::int64_t PlainNumber(T revision) {
  return static_cast<std::int64_t>(revision);
}

/// A struct with PLAIN(T), but not a class derived from such a struct.
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

/// Returns the index of the member of `T` with this name that is live at `revision`, or -1.
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

// The macros of a plain struct. Each macro also has a name that begins with REVCTL_. Define
// REVCTL_NO_SHORT_MACROS before the include to get only the REVCTL_ names.
//
//   PLAIN(Door);
//       Must be the first line of the struct, whose members must all be public.
//   FIELD(float, angle, SR_ANGLE) = 90;
//       A member that has been live since a revision. The optional initializer is its value for
//       older files.
//   DEAD(bool, open, SR_INITIAL, SR_ANGLE);
//       A removed member, live from the first revision until the second. Must stay in its place in
//       the list forever.
//   DEAD_WITH(int, hp, SR_A, SR_B, 100);
//       A dead field with a default: for files older than SR_A, and for files that are written for
//       builds in which it was live.
//   HOP(SR_ANGLE) { to.Set<"angle">(from.Get<"open">() ? 90.f : 0.f); }
//       The handler of the hop into a revision.
//
// In FIELD and DEAD, the type may contain commas. C array types are written `float[3]`. To define a
// HOP in a source file, write `HOP(SR_X);` in the struct and `HOP_OF(Door, SR_X) {...}` in the
// source file.

#define REVCTL_PLAIN(Type)                                                                \
  using RevctlPlainSelf = Type;                                                           \
  static constexpr const char* RevctlPlainName() { return #Type; }                        \
  static ::revctl::detail::PlainIndex<0> RevctlPlainHops(::revctl::detail::PlainRank<0>); \
  static ::revctl::detail::PlainIndex<0> RevctlPlainCount(::revctl::detail::PlainRank<0>)

#define REVCTL_PLAIN_NEXT_ \
  decltype(RevctlPlainCount(::revctl::detail::PlainRank<::revctl::detail::kPlainMembers>{}))::value
#define REVCTL_PLAIN_NEXT_HOP_ \
  decltype(RevctlPlainHops(::revctl::detail::PlainRank<::revctl::detail::kPlainMembers>{}))::value
#define REVCTL_PLAIN_LISTED_(at)                                  \
  static ::revctl::detail::PlainIndex<(at) + 1> RevctlPlainCount( \
      ::revctl::detail::PlainRank<(at) + 1>)

#define REVCTL_PLAIN_TEXTS_(at, since_text, until_text, fallback_text)  \
  static constexpr ::revctl::detail::PlainTexts RevctlPlainTexts(       \
      ::revctl::detail::PlainIndex<at>) {                               \
    return {since_text, until_text, fallback_text, __FILE__, __LINE__}; \
  }

// Counting the members takes most of the compile time, so each live member stores its index in an
// enum. This does not work for dead members, because several of them may have the same name.
#define REVCTL_PLAIN_FIELD_(name, since, ...)                                                    \
  enum : int { RevctlPlainAt_##name = REVCTL_PLAIN_NEXT_ };                                      \
  REVCTL_PLAIN_TEXTS_(RevctlPlainAt_##name, #since, "", "")                                      \
  static ::revctl::detail::PlainMember<__VA_ARGS__, #name, ::revctl::detail::PlainNumber(since), \
                                       ::revctl::detail::kPlainLives>                            \
      RevctlPlainField(::revctl::detail::PlainIndex<RevctlPlainAt_##name>);                      \
  static constexpr std::size_t RevctlPlainOffset(                                                \
      ::revctl::detail::PlainIndex<RevctlPlainAt_##name>) {                                      \
    return offsetof(RevctlPlainSelf, name);                                                      \
  }                                                                                              \
  REVCTL_PLAIN_LISTED_(RevctlPlainAt_##name);                                                    \
  std::type_identity_t<__VA_ARGS__> name

#define REVCTL_PLAIN_DEAD_(fallback_text, name, since, until, ...)                               \
  REVCTL_PLAIN_TEXTS_(REVCTL_PLAIN_NEXT_, #since, #until, fallback_text)                         \
  static ::revctl::detail::PlainMember<__VA_ARGS__, #name, ::revctl::detail::PlainNumber(since), \
                                       ::revctl::detail::PlainNumber(until)>                     \
      RevctlPlainField(::revctl::detail::PlainIndex<REVCTL_PLAIN_NEXT_>);                        \
  REVCTL_PLAIN_LISTED_(REVCTL_PLAIN_NEXT_)

// FIELD selects a variant by the number of its arguments, because the type comes first and may
// contain commas.
#define REVCTL_PLAIN_SIXTH_(a, b, c, d, e, f, g, ...) g
#define REVCTL_FIELD(...)                                                      \
  REVCTL_PLAIN_SIXTH_(__VA_ARGS__, REVCTL_PLAIN_FIELD6_, REVCTL_PLAIN_FIELD5_, \
                      REVCTL_PLAIN_FIELD4_, REVCTL_PLAIN_FIELD3_, , , )        \
  (__VA_ARGS__)
#define REVCTL_PLAIN_FIELD3_(t, name, since) REVCTL_PLAIN_FIELD_(name, since, t)
#define REVCTL_PLAIN_FIELD4_(t, u, name, since) REVCTL_PLAIN_FIELD_(name, since, t, u)
#define REVCTL_PLAIN_FIELD5_(t, u, v, name, since) REVCTL_PLAIN_FIELD_(name, since, t, u, v)
#define REVCTL_PLAIN_FIELD6_(t, u, v, w, name, since) REVCTL_PLAIN_FIELD_(name, since, t, u, v, w)
#define REVCTL_DEAD(...)                                                                          \
  REVCTL_PLAIN_SIXTH_(__VA_ARGS__, REVCTL_PLAIN_DEAD6_, REVCTL_PLAIN_DEAD5_, REVCTL_PLAIN_DEAD4_, \
                      , , , )                                                                     \
  (__VA_ARGS__)
#define REVCTL_PLAIN_DEAD4_(t, name, since, until) REVCTL_PLAIN_DEAD_("", name, since, until, t)
#define REVCTL_PLAIN_DEAD5_(t, u, name, since, until) \
  REVCTL_PLAIN_DEAD_("", name, since, until, t, u)
#define REVCTL_PLAIN_DEAD6_(t, u, v, name, since, until) \
  REVCTL_PLAIN_DEAD_("", name, since, until, t, u, v)

#define REVCTL_DEAD_WITH(type, name, since, until, ...)                         \
  static void RevctlPlainDead(::revctl::detail::PlainIndex<REVCTL_PLAIN_NEXT_>, \
                              void* revctl_out) {                               \
    const std::type_identity_t<type> revctl_value = __VA_ARGS__;                \
    std::memcpy(revctl_out, &revctl_value, sizeof revctl_value);                \
  }                                                                             \
  REVCTL_PLAIN_DEAD_(#__VA_ARGS__, name, since, until, type)

#define REVCTL_PLAIN_HOP_PARAMETERS_(Self, number)                                        \
  ::revctl::detail::PlainHopInto<number>,                                                 \
      [[maybe_unused]] const ::revctl::PlainView<Self, number - 1, const std::byte>&from, \
      [[maybe_unused]] ::revctl::PlainView<Self, number, std::byte>&to

#define REVCTL_HOP(revision)                                                                     \
  static ::revctl::detail::PlainHopInto<::revctl::detail::PlainNumber(revision)> RevctlPlainHop( \
      ::revctl::detail::PlainIndex<REVCTL_PLAIN_NEXT_HOP_>);                                     \
  static ::revctl::detail::PlainIndex<REVCTL_PLAIN_NEXT_HOP_ + 1> RevctlPlainHops(               \
      ::revctl::detail::PlainRank<REVCTL_PLAIN_NEXT_HOP_ + 1>);                                  \
  static void RevctlPlainUpgrade(                                                                \
      REVCTL_PLAIN_HOP_PARAMETERS_(RevctlPlainSelf, ::revctl::detail::PlainNumber(revision)))
#define REVCTL_HOP_OF(Type, revision) \
  void Type::RevctlPlainUpgrade(      \
      REVCTL_PLAIN_HOP_PARAMETERS_(Type, ::revctl::detail::PlainNumber(revision)))

#ifndef REVCTL_NO_SHORT_MACROS
#define PLAIN(Type) REVCTL_PLAIN(Type)
#define FIELD(...) REVCTL_FIELD(__VA_ARGS__)
#define DEAD(...) REVCTL_DEAD(__VA_ARGS__)
#define DEAD_WITH(...) REVCTL_DEAD_WITH(__VA_ARGS__)
#define HOP(revision) REVCTL_HOP(revision)
#define HOP_OF(Type, revision) REVCTL_HOP_OF(Type, revision)
#endif
