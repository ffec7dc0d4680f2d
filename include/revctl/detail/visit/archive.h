#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include <revctl/detail/types/wire_kind.h>
#include <revctl/detail/visit/any_visitor.h>

// What macros and bodies use of an archive, whichever it is.

namespace revctl {
namespace detail {

/// Whether `r` is an AnyArchive: one instance of a body serves all of these, by virtual calls.
template <class R>
inline constexpr bool kErased = std::is_base_of_v<AnyArchive, std::remove_reference_t<R>>;

/// Binary archives: final classes whose `Value(x)` visits one value; bodies are instantiated for
/// each.
template <class R>
concept BinaryArchive = requires {
  typename R::RevctlBinaryArchive;
};

/// Archives that only come to a declared type in the file that has its body.
template <class R>
concept SeesBodies = requires {
  typename R::RevctlSeesBodies;
};

/// Bodies that only run with an archive that others know, which Reader and Writer are: functions of
/// another source file, and those that look at the type of the archive.
template <class T>
inline constexpr bool kTakesArchive = HasSplitBody<T>;

/// What bodies get in place of archive R, where that differs: of a Writer, a BodyWriter.
template <class R>
struct BodyArchive {};

/// Runs the body of T.
template <class R, class T>
[[gnu::always_inline]] constexpr void RunBody(R& r, T& object) {
  if constexpr (HasSplitBody<T> && !SeesBodies<R>) {
    RevctlVisit(r, object, Tag<T>{});  // a function in T's own source file
  } else {
    RevctlBody(Tag<T>{})(r, object, std::addressof(object));
  }
}

/// The same in a loop over elements. clang calls a long body there, so that its cursor lies in
/// memory; g++ puts it into the loop by itself.
template <class R, class T>
#ifdef __clang__
[[gnu::flatten]]
#endif
[[gnu::always_inline]] constexpr void
RunBodyInLoop(R& r, T& object) {
  RevctlBody(Tag<T>{})(r, object, std::addressof(object));
}
/// Records that are read and written by their body, where they stand.
template <class T>
inline constexpr bool kRunsInLoop = KindOf<T>() == Kind::Record && !HasWireAs<T> &&
                                    !kIsAligned<T> && !kTakesArchive<T>;

template <class T>
const TypeInfo& TypeOfValue(T&) {
  return TypeOf<T>();
}
template <std::size_t alignment, class T>
const TypeInfo& TypeOfAligned(T&) {
  return TypeOf<Aligned<alignment, T>>();
}

}  // namespace detail

/// Visits `value` with the archive: reads it or writes it. The way in for a whole object, and
/// usable inside bodies for what has no gate of its own.
template <detail::BinaryArchive R, class T>
[[gnu::always_inline]] constexpr void Serialize(R& r, T& value) {
  r.Root(value);
}
/// Writing never changes the object, so writing archives take const ones and temporaries.
template <detail::BinaryArchive R, class T>
[[gnu::always_inline]] constexpr void Serialize(R& r, const T& value) {
  static_assert(!R::IsReading(), "revctl: reading into a const object");
  r.Root(const_cast<T&>(value));
}

/// The same for archives of virtual functions. File and line are those of the caller; leave them
/// out.
template <class R, class T>
requires detail::kErased<R>
void Serialize(R& r, T& value, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  AnyArchive& archive = r;
  const TypeInfo& type = TypeOf<T>();
  if (archive.AtRoot()) {
    archive.VisitRoot(type, std::addressof(value));
  } else {
    const Site site{Form::Plain, "", "", "", "", "", file, line};
    archive.Field({.site = site, .type = type, .value = std::addressof(value)});
  }
}
template <class R, class T>
requires detail::kErased<R>
void Serialize(R& r, const T& value, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) {
  if (r.IsReading()) {
    r.FailHere("reading into a const object");
  } else {
    Serialize(r, const_cast<T&>(value), file, line);
  }
}

namespace detail {
using revctl::Serialize;  // bodies run with archives that live here find it too
}  // namespace detail

}  // namespace revctl
