#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/types/wire_kind.h>
#include <revctl/detail/visit/any_visitor.h>

// The interface that all archives offer to macros and bodies.

namespace revctl {
namespace detail {

/// True if `r` is an AnyArchive. One instance of a body serves all AnyArchives through virtual
/// calls.
template <class R>
inline constexpr bool kErased = std::is_base_of_v<AnyArchive, std::remove_reference_t<R>>;

/// A bool whose type depends on R. It lets a `requires` in a body check whether an expression is a
/// constant that is true: `requires { typename IfTrue<static_cast<bool>(DependentBool<R>{...})>;
/// }`.
template <class R>
struct DependentBool {
  bool value;
  constexpr explicit operator bool() const { return value; }
};
template <bool condition>
using IfTrue = std::enable_if_t<condition>;

/// Binary archives: final classes whose `Value(x)` visits one value. Each body is instantiated
/// separately for each binary archive.
template <class R>
concept BinaryArchive = requires {
  typename R::RevctlBinaryArchive;
};

/// Archives for which a type with SERIALIZE_DECLARE can be visited only in the file that contains
/// its body.
template <class R>
concept SeesBodies = requires {
  typename R::RevctlSeesBodies;
};

/// True for types whose body accepts only Reader and Writer themselves, because it is in a
/// different source file or inspects the type of the archive.
template <class T>
inline constexpr bool kTakesArchive = HasSplitBody<T>;

/// Maps R to the archive type that bodies receive in its place, such as BodyWriter for Writer.
/// Empty if bodies receive R itself.
template <class R>
struct BodyArchive {};

template <class R, class T>
[[gnu::always_inline]] constexpr void RunBody(R& r, T& object) {
  if constexpr (HasSplitBody<T> && !SeesBodies<R>) {
    RevctlVisit(r, object, Tag<T>{});  // calls the function in T's own source file
  } else {
    RevctlBody(Tag<T>{})(r, object, std::addressof(object));
  }
}

/// Runs the body of T in a loop over elements. Without this attribute, clang would not inline a
/// long body, and the call would force the cursor into memory; g++ inlines it anyway.
template <class R, class T>
#ifdef __clang__
[[gnu::flatten]]
#endif
[[gnu::always_inline]] constexpr void
RunBodyInLoop(R& r, T& object) {
  RevctlBody(Tag<T>{})(r, object, std::addressof(object));
}
/// True for records that RunBodyInLoop() can visit.
template <class T>
inline constexpr bool kRunsInLoop = KindOf<T>() == Kind::Record && !HasWireAs<T> &&
                                    !kIsAligned<T> && !kTakesArchive<T>;

/// Returns TypeOf<T>(), and makes MakingOf() available for it and for all types that T contains.
/// Defined in type_making.h.
template <class T>
const TypeInfo& TypeWithMaking();

/// Archives that create objects of types known only by their descriptors.
template <class R>
concept MakesObjects = requires {
  typename R::RevctlMakesObjects;
};

}  // namespace detail

/// Reads or writes `value` with the archive. This is the entry point for a whole object; inside a
/// body it visits a value without a gate.
template <detail::BinaryArchive R, class T>
[[gnu::always_inline]] constexpr void Serialize(R& r, T& value) {
  r.Root(value);
}
/// Writes `value`. Writing never changes the object, so const objects and temporaries are accepted.
template <detail::BinaryArchive R, class T>
[[gnu::always_inline]] constexpr void Serialize(R& r, const T& value) {
  static_assert(!R::IsReading(), "revctl: cannot read into a const object");
  r.Root(const_cast<T&>(value));
}

/// Visits `value` with an AnyArchive. `file` and `line` default to the caller's location.
template <class R, class T>
requires detail::kErased<R>
void Serialize(R& r, T& value, const char* file = REVCTL_DETAIL_FILE,
               int line = REVCTL_DETAIL_LINE) {
  if constexpr (detail::MakesObjects<R>) (void)detail::TypeWithMaking<T>();
  if (r.AtRoot()) {
    r.VisitRoot(TypeOf<T>(), std::addressof(value));
  } else {
    r.Named("", file, line, value);
  }
}
template <class R, class T>
requires detail::kErased<R>
void Serialize(R& r, const T& value, const char* file = REVCTL_DETAIL_FILE,
               int line = REVCTL_DETAIL_LINE) {
  if (r.IsReading()) {
    r.FailHere("cannot read into a const object");
  } else {
    Serialize(r, const_cast<T&>(value), file, line);
  }
}

namespace detail {
using revctl::Serialize;  // makes Serialize() visible to bodies that archives in this namespace run
}  // namespace detail

}  // namespace revctl
