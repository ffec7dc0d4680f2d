#pragma once
#include <memory>
#include <type_traits>
#include <vector>

#include <revctl/detail/visit/archive.h>

// The macros that users write. Each macro also has a name that begins with REVCTL_. If short names
// such as ADD already have a meaning in the program, define REVCTL_NO_SHORT_MACROS before the first
// include of this library.
//
//   SERIALIZE_TYPE(game::Score) { ADD(SR_INITIAL, points); } SERIALIZE_END      in T's namespace
//
// A body can use `r` (the archive: r.revision, r.IsReading(), r.IsWriting(), r.Fail(reason)), `d`
// (the object) and `t` (a pointer to it). A body is a generic lambda, so it may contain any C++
// code. Its definition must be visible wherever it is used.

/// Begins the body of T. The type must match exactly: a derived class needs its own body.
#define REVCTL_SERIALIZE_TYPE(...)                                         \
  [[maybe_unused]] constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>) { \
    return []([[maybe_unused]] auto& r, [[maybe_unused]] auto& d, [[maybe_unused]] auto* t) -> void

/// Begins the body of a class template: `SERIALIZE_TEMPLATE((class T, int n), Grid<T, n>) {...}
/// SERIALIZE_END`.
#define REVCTL_SERIALIZE_TEMPLATE(params, ...)                             \
  template <REVCTL_DETAIL_UNWRAP params>                                   \
  [[maybe_unused]] constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>) { \
    return []([[maybe_unused]] auto& r, [[maybe_unused]] auto& d, [[maybe_unused]] auto* t) -> void
#define REVCTL_DETAIL_UNWRAP(...) __VA_ARGS__

/// Declares T, so that its body is compiled in only one source file. Write `SERIALIZE_DECLARE(T)`
/// in a header, in T's namespace, and `SERIALIZE_DEFINE(T) {...} SERIALIZE_END` in the source file.
/// Other files only call the body. The type is not treated as flat, because flatness must not
/// depend on which files see the body.
#define REVCTL_SERIALIZE_DECLARE(...)                                                 \
  void RevctlSplit(::revctl::Tag<__VA_ARGS__>);                                       \
  void RevctlVisit(::revctl::Reader&, __VA_ARGS__&, ::revctl::Tag<__VA_ARGS__>);      \
  void RevctlVisit(::revctl::Writer&, __VA_ARGS__&, ::revctl::Tag<__VA_ARGS__>);      \
  void RevctlVisit(::revctl::SizeCounter&, __VA_ARGS__&, ::revctl::Tag<__VA_ARGS__>); \
  void RevctlVisit(::revctl::AnyArchive&, __VA_ARGS__&, ::revctl::Tag<__VA_ARGS__>);  \
  void RevctlVisitMany(::revctl::Reader&, ::std::vector<__VA_ARGS__>&,                \
                       ::revctl::Tag<__VA_ARGS__>);                                   \
  void RevctlVisitMany(::revctl::Writer&, ::std::vector<__VA_ARGS__>&, ::revctl::Tag<__VA_ARGS__>)

/// Like SERIALIZE_DECLARE, but also declares that the body is flat. Every file then reads and
/// writes a std::vector<T> in bulk, using functions from the file that contains
/// SERIALIZE_DEFINE(T). In that file, the compiler checks the claim and rejects a body that is not
/// flat.
#define REVCTL_SERIALIZE_DECLARE_FLAT(...) \
  REVCTL_SERIALIZE_DECLARE(__VA_ARGS__);   \
  void RevctlStatedFlat(::revctl::Tag<__VA_ARGS__>)

#define REVCTL_SERIALIZE_END \
  ;                          \
  }

/// Gives a body access to the private members of its class. Use this inside the class:
/// `SERIALIZE_FRIEND(Score);`.
#define REVCTL_SERIALIZE_FRIEND(...) friend constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>)

/// Like SERIALIZE_FRIEND, but for a class template. The parameters are written as in
/// SERIALIZE_TEMPLATE, but their names must differ from those of the class template:
/// `SERIALIZE_FRIEND_TEMPLATE((class U, int m), Grid<U, m>);`.
#define REVCTL_SERIALIZE_FRIEND_TEMPLATE(params, ...) \
  template <REVCTL_DETAIL_UNWRAP params>              \
  friend constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>)

/// Packs a field's strings into one literal, which detail::UnpackSite() splits.
#define REVCTL_DETAIL_TEXTS(name_, since_text, until_text, condition_text, fallback_text) \
  name_ "\0" since_text "\0" until_text "\0" condition_text "\0" fallback_text "\0" __FILE__

/// Visits a field. An AnyArchive (kErased) sees the field even if its gate is closed. A binary
/// archive receives the value only if the gate is open, which costs one comparison.
#define REVCTL_DETAIL_FIELD(form_, name_, texts_, since_, until_, live_, condition_, value_) \
  do {                                                                                       \
    if constexpr (::revctl::detail::kErased<decltype(r)>) {                                  \
      const bool revctl_live = (live_);                                                      \
      r.Announce(::revctl::Form::form_, texts_, __LINE__, ::revctl::NumberOf(since_),        \
                 ::revctl::NumberOf(until_), revctl_live,                                    \
                 revctl_live&& static_cast<bool>(condition_), value_);                       \
    } else {                                                                                 \
      if ((live_) && static_cast<bool>(condition_)) r.Field(value_, name_);                  \
    }                                                                                        \
  } while (0)

/// Evaluates gates with calls instead of operators, to spare the compiler an operator lookup for
/// every archive with which the body is instantiated.
#define REVCTL_DETAIL_SINCE(since_) r.revision.AtLeast(::revctl::NumberOf(since_))
#define REVCTL_DETAIL_LIVES(since_, until_) \
  (REVCTL_DETAIL_SINCE(since_) && !REVCTL_DETAIL_SINCE(until_))

/// Rejects members that the compiler would accept silently (a reference looks like its target) or
/// reject with an obscure message. Ordinary data members pass after a single check, because
/// pointers to them exist. All other checks are compiled only for the remaining members.
#define REVCTL_DETAIL_IS_MEMBER(name_, member_)                                                  \
  if constexpr (::revctl::detail::kChecksMembers<decltype(r)>) {                                 \
    if constexpr (!requires {                                                                    \
                    ::revctl::detail::AcceptMember(&std::remove_cvref_t<decltype(d)>::member_);  \
                  }) {                                                                           \
      static_assert(                                                                             \
          !std::is_reference_v<decltype(d.member_)> || !::revctl::detail::NamesMember(name_),    \
          "revctl: references cannot be serialized: store the value, or an id (see "             \
          "objects.h): " name_);                                                                 \
      static_assert(                                                                             \
          !requires { d.member_; } || requires { ::revctl::detail::Refer(d.member_); },          \
          "revctl: ADD cannot visit a bit-field; use ADD_BITS(since, wire type, "                \
          "member): " name_);                                                                    \
      static_assert(                                                                             \
          !requires { static_cast<const void*>(&std::remove_cvref_t<decltype(d)>::member_); } || \
              !::revctl::detail::IsIdentifier(name_),                                            \
          "revctl: a static member is not part of the object, and reading would change it for "  \
          "all objects: " name_);                                                                \
    }                                                                                            \
  }

#define REVCTL_DETAIL_MEMBER(form_, name_, since_text, until_text, condition_text, since_, until_, \
                             live_, condition_, member_)                                           \
  do {                                                                                             \
    REVCTL_DETAIL_IS_MEMBER(name_, member_)                                                        \
    REVCTL_DETAIL_FIELD(form_, name_,                                                              \
                        REVCTL_DETAIL_TEXTS(name_, since_text, until_text, condition_text, ""),    \
                        since_, until_, live_, condition_, d.member_);                             \
  } while (0)

/// Visits a member if the revision is at least `since`.
#define REVCTL_ADD(since_, member_)                                       \
  do {                                                                    \
    REVCTL_DETAIL_IS_MEMBER(#member_, member_)                            \
    if constexpr (::revctl::detail::kErased<decltype(r)>) {               \
      r.Add(REVCTL_DETAIL_TEXTS(#member_, #since_, "", "", ""), __LINE__, \
            ::revctl::NumberOf(since_), d.member_);                       \
    } else if (REVCTL_DETAIL_SINCE(since_)) {                             \
      r.Field(d.member_, #member_);                                       \
    }                                                                     \
  } while (0)

/// Like ADD, but aligned in the file: zeros are inserted so that the value, or the first element of
/// a container, begins at a multiple of `alignment` (2, 4, 8, 16) in the payload. Views (view.h)
/// can then refer to the data in a mapped file. Example: `ADD_ALIGNED(SR_INITIAL, 16, verts)`.
#define REVCTL_ADD_ALIGNED(since_, alignment_, member_)                                       \
  do {                                                                                        \
    REVCTL_DETAIL_IS_MEMBER(#member_, member_)                                                \
    if constexpr (::revctl::detail::kErased<decltype(r)>) {                                   \
      r.template AddAligned<(alignment_)>(REVCTL_DETAIL_TEXTS(#member_, #since_, "", "", ""), \
                                          __LINE__, ::revctl::NumberOf(since_), d.member_);   \
    } else if (REVCTL_DETAIL_SINCE(since_)) {                                                 \
      ::revctl::detail::ValueAligned<(alignment_)>(r, d.member_, #member_);                   \
    }                                                                                         \
  } while (0)

/// Visits a member if the revision is at least `since` and the condition is true. The condition is
/// evaluated only if the gate is open. During reading, the condition can use all fields that have
/// already been read.
#define REVCTL_ADD_CONDITIONAL(since_, condition_, member_)                           \
  REVCTL_DETAIL_MEMBER(AddConditional, #member_, #since_, "", #condition_, since_, 0, \
                       REVCTL_DETAIL_SINCE(since_), condition_, member_)

/// Visits a removed field. With `REM(since, until, member)`, the member still exists but is not
/// saved at revision `until` and later. `REM(since, until, type, name, default)` declares a local
/// variable `name` for upgrade code. The default may contain commas, and it may depend on `d`, so
/// that files written at an old revision contain a sensible value.
/// REVCTL_DETAIL_REM_MEMBER_NOT_BUT_LOCAL below defines the local variable.
#define REVCTL_REM(since_, until_, first_, ...)                            \
  REVCTL_DETAIL_CAT(REVCTL_DETAIL_REM_MEMBER, __VA_OPT__(_NOT_BUT_LOCAL))  \
  (Rem, #since_, #until_, "", #first_, #__VA_ARGS__, since_, until_, true, \
   first_ __VA_OPT__(, ) __VA_ARGS__)

/// Like REM, with a condition after the two gates.
#define REVCTL_REM_CONDITIONAL(since_, until_, condition_, first_, ...)                  \
  REVCTL_DETAIL_CAT(REVCTL_DETAIL_REM_MEMBER, __VA_OPT__(_NOT_BUT_LOCAL))                \
  (RemConditional, #since_, #until_, #condition_, #first_, #__VA_ARGS__, since_, until_, \
   condition_, first_ __VA_OPT__(, ) __VA_ARGS__)

/// Checks that `since` is not after `until` if both are constants. The two may be equal if no file
/// contains the field.
#define REVCTL_DETAIL_LIVED(since_, until_, what_)                                      \
  static_assert(                                                                        \
      !requires {                                                                       \
        typename ::revctl::detail::IfTrue<static_cast<bool>(                            \
            ::revctl::detail::DependentBool<decltype(r)>{::revctl::NumberOf(until_) <   \
                                                         ::revctl::NumberOf(since_)})>; \
      },                                                                                \
      "revctl: REM(since, until, ...): the field ends before it begins; write the "     \
      "older revision first: " what_)

#define REVCTL_DETAIL_CAT(a, b) REVCTL_DETAIL_CAT_(a, b)
#define REVCTL_DETAIL_CAT_(a, b) a##b
#define REVCTL_DETAIL_REM_MEMBER(form_, since_text, until_text, condition_text, name_text, unused, \
                                 since_, until_, condition_, member_)                              \
  do {                                                                                             \
    REVCTL_DETAIL_LIVED(since_, until_, name_text);                                                \
    REVCTL_DETAIL_MEMBER(REVCTL_DETAIL_FORM_##form_, name_text, since_text, until_text,            \
                         condition_text, since_, until_, REVCTL_DETAIL_LIVES(since_, until_),      \
                         condition_, member_);                                                     \
  } while (0)
#define REVCTL_DETAIL_FORM_Rem RemMember
#define REVCTL_DETAIL_FORM_RemConditional RemConditional
#define REVCTL_DETAIL_REM_MEMBER_NOT_BUT_LOCAL(form_, since_text, until_text, condition_text,   \
                                               type_text, name_and_default, since_, until_,     \
                                               condition_, type_, name_, ...)                   \
  static_assert(::revctl::detail::IsIdentifier(#name_),                                         \
                "revctl: REM(since, until, type, name, default): a type that contains a comma " \
                "needs an alias, such as `using Marks = std::map<int32_t, int32_t>;`: " #type_  \
                ", " #name_);                                                                   \
  REVCTL_DETAIL_LIVED(since_, until_, #name_);                                                  \
  ::revctl::detail::RemLocal<std::remove_reference_t<decltype(r)>, type_> name_##_revctl{       \
      [&]() -> type_ { return __VA_ARGS__; }};                                                  \
  [[maybe_unused]] auto& name_ = name_##_revctl.value;                                          \
  REVCTL_DETAIL_FIELD(                                                                          \
      form_, #name_,                                                                            \
      REVCTL_DETAIL_TEXTS(#name_, since_text, until_text, condition_text, name_and_default),    \
      since_, until_, REVCTL_DETAIL_LIVES(since_, until_), condition_, name_)

/// Visits a base class, using the base's own body, if the revision is at least `since`.
#define REVCTL_ADD_BASE(since_, ...)                                                             \
  do {                                                                                           \
    static_assert(::revctl::detail::IsProperBase<__VA_ARGS__, std::remove_cvref_t<decltype(d)>>, \
                  "revctl: ADD_BASE needs a base class of this type, not: " #__VA_ARGS__);       \
    REVCTL_DETAIL_FIELD(Base, #__VA_ARGS__,                                                      \
                        REVCTL_DETAIL_TEXTS(#__VA_ARGS__, #since_, "", "", ""), since_, 0,       \
                        REVCTL_DETAIL_SINCE(since_), true, static_cast<__VA_ARGS__&>(d));        \
  } while (0)

/// Visits a bit-field as a value of the given type: `ADD_BITS(SR_INITIAL, uint8_t, team)`. Reading
/// and writing fail if the conversion changes the value.
#define REVCTL_ADD_BITS(since_, type_, member_)                                             \
  do {                                                                                      \
    using RevctlField = decltype(d.member_);                                                \
    const RevctlField revctl_field = d.member_;                                             \
    type_ revctl_bits = static_cast<type_>(revctl_field);                                   \
    const auto revctl_assign = [&](auto& object) {                                          \
      _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"")     \
          object.member_ = static_cast<RevctlField>(revctl_bits);                           \
      _Pragma("GCC diagnostic pop") return static_cast<RevctlField>(object.member_);        \
    };                                                                                      \
    if (r.IsWriting() && r.revision >= (since_) &&                                          \
        static_cast<RevctlField>(revctl_bits) != revctl_field &&                            \
        !::revctl::detail::OnFresh(                                                         \
            d, [&](auto& fresh) { return revctl_assign(fresh) == revctl_field; })) {        \
      r.Fail("the bit-field's value does not fit in " #type_ " on the wire: " #member_);    \
    }                                                                                       \
    REVCTL_DETAIL_FIELD(Bits, #member_, REVCTL_DETAIL_TEXTS(#member_, #since_, "", "", ""), \
                        since_, 0, REVCTL_DETAIL_SINCE(since_), true, revctl_bits);         \
    if (r.IsReading() && r.revision >= (since_) &&                                          \
        static_cast<type_>(revctl_assign(d)) != revctl_bits) {                              \
      r.Fail("the value does not fit in its bit-field: " #member_);                         \
    }                                                                                       \
  } while (0)

/// From revision `since` on, writes a running number here and checks it when reading. If the body
/// does not match the bytes, the check fails close to the cause.
#define REVCTL_CHECK_INTEGRITY(since_)                                         \
  do {                                                                         \
    if constexpr (::revctl::detail::kErased<decltype(r)>) {                    \
      r.CheckIntegrity(REVCTL_DETAIL_TEXTS("", #since_, "", "", ""), __LINE__, \
                       ::revctl::NumberOf(since_));                            \
    } else if (REVCTL_DETAIL_SINCE(since_)) {                                  \
      r.Integrity();                                                           \
    }                                                                          \
  } while (0)

/// Declares that a member is deliberately not saved. Otherwise, the harness reports members that no
/// body visits.
#define REVCTL_SERIALIZE_IGNORE(member_)                                 \
  do {                                                                   \
    if constexpr (::revctl::detail::kErased<decltype(r)>) {              \
      r.Ignore(REVCTL_DETAIL_TEXTS(#member_, "", "", "", ""), __LINE__); \
    }                                                                    \
  } while (0)

namespace revctl::detail {

/// The local variable of a REM, initialized with its default. Archives that prove a property of a
/// body (FlatProbe) specialize this class with an undefined value, to notice any access to the
/// variable.
template <class R, class T>
struct RemLocal {
  template <class F>
  constexpr explicit RemLocal(F fallback) : value(fallback()) {}
  T value;
};

constexpr bool IsInName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// True if the text is the name of a member. The type of any other expression, such as `cells[0]`,
/// proves nothing, because such expressions are always lvalues.
constexpr bool NamesMember(const char* text) {
  for (; *text != '\0'; ++text) {
    if (!IsInName(*text) && *text != '.' && *text != ':' && *text != ' ') return false;
  }
  return true;
}

template <class Base, class T>
inline constexpr bool IsProperBase = std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>;

constexpr bool IsIdentifier(const char* text) {
  for (; *text != '\0'; ++text) {
    if (!IsInName(*text) && static_cast<unsigned char>(*text) < 0x80) return false;
  }
  return true;
}

/// Accepts everything except bit-fields.
template <class T>
void Refer(T&&);

/// Accepts a pointer to a data member. References, bit-fields and static members have no such
/// pointer.
template <class T, class M>
void AcceptMember(M T::*);

/// True for archives that check the members of a body. Every program compiles each body for at
/// least one of them.
template <class R>
inline constexpr bool kChecksMembers = requires {
  typename std::remove_reference_t<R>::RevctlChecksMembers;
};

/// Calls `f` with a fresh T. Returns false if T has no default constructor. Slow, because it
/// allocates memory.
template <class T, class F>
bool OnFresh(const T&, F f) {
  if constexpr (std::is_default_constructible_v<T>) {
    const auto fresh = std::make_unique<T>();
    return f(*fresh);
  } else {
    return false;
  }
}

}  // namespace revctl::detail

#ifndef REVCTL_NO_SHORT_MACROS
#define SERIALIZE_TYPE(...) REVCTL_SERIALIZE_TYPE(__VA_ARGS__)
#define SERIALIZE_TEMPLATE(params, ...) REVCTL_SERIALIZE_TEMPLATE(params, __VA_ARGS__)
#define SERIALIZE_END REVCTL_SERIALIZE_END
#define SERIALIZE_DECLARE(...) REVCTL_SERIALIZE_DECLARE(__VA_ARGS__)
#define SERIALIZE_DECLARE_FLAT(...) REVCTL_SERIALIZE_DECLARE_FLAT(__VA_ARGS__)
#define SERIALIZE_FRIEND(...) REVCTL_SERIALIZE_FRIEND(__VA_ARGS__)
#define SERIALIZE_FRIEND_TEMPLATE(params, ...) REVCTL_SERIALIZE_FRIEND_TEMPLATE(params, __VA_ARGS__)
#define SERIALIZE_IGNORE(member) REVCTL_SERIALIZE_IGNORE(member)
#define ADD(since, member) REVCTL_ADD(since, member)
#define ADD_CONDITIONAL(since, condition, member) REVCTL_ADD_CONDITIONAL(since, condition, member)
#define ADD_ALIGNED(since, alignment, member) REVCTL_ADD_ALIGNED(since, alignment, member)
#define ADD_BASE(since, ...) REVCTL_ADD_BASE(since, __VA_ARGS__)
#define ADD_BITS(since, type, member) REVCTL_ADD_BITS(since, type, member)
#define REM(...) REVCTL_REM(__VA_ARGS__)
#define REM_CONDITIONAL(...) REVCTL_REM_CONDITIONAL(__VA_ARGS__)
#define CHECK_INTEGRITY(since) REVCTL_CHECK_INTEGRITY(since)
#endif
