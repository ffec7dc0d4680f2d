#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <revctl/plain/member.h>

// The words that stand in a plain struct. Each also has a REVCTL_ spelling; define
// REVCTL_NO_SHORT_MACROS before including to have only those.
//
//   PLAIN(Door);
//       first line of the struct, which must be all public
//   FIELD(float, angle, SR_ANGLE) = 90;
//       a member, live since a revision; the initialiser is optional and is what the field is for
//       files from before
//   DEAD(bool, open, SR_INITIAL, SR_ANGLE);
//       no member any more: it was live from the first revision until the second, and stays in its
//       place in the list for ever
//   DEAD_WITH(int, hp, SR_A, SR_B, 100);
//       a dead field whose value for files from before SR_A was 100, and which files written for
//       builds of that time get
//   HOP(SR_ANGLE) { to.Set<"angle">(from.Get<"open">() ? 90.f : 0.f); }
//       handler of the hop into a revision
//
// In FIELD and DEAD the type may hold commas; C array types are written `float[3]`. A HOP may be
// declared only, `HOP(SR_X);`, and defined in a source file with `HOP_OF(Door, SR_X) {...}`.

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

// Counting takes the compiler longer than all else, so each member has its number once. Of a name
// one member is alive, but several may be dead: those are counted each time.
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

// The type comes first and may hold commas, so the arguments are taken apart by their number.
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
