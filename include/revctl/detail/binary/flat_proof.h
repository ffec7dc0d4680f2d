#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <type_traits>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/types/wire_kind.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>

// Makes the compiler prove that types are flat.
//
// The compiler evaluates the body as a constant expression, with an archive that only counts bytes,
// on an object without a definition (GhostOf). If the body reads data (for a branch, a loop bound
// or a fix-up), writes data, or compares addresses, it is not a constant expression, and the type
// is not flat. Users do not have to declare anything. A body that passes visits the same leaves for
// every value, and its wire size depends only on the revision. A single size check therefore
// suffices, even for a whole vector, and the leaves are then read without further checks.
//
// The archive notes the revision numbers that the body compares with. The body behaves the same at
// all revisions between two neighboring numbers, so one run per interval covers all revisions, and
// the proof does not need the list.
//
// The compiler knows the values that the body itself creates (such as a local variable passed to
// Serialize), and would not notice that reading replaces them. Reading into such a value therefore
// ends the proof (IsOfTheGhost). A body might also call std::is_constant_evaluated(). With clang,
// the proof is therefore repeated in a context where that call returns false (ProvenInEarnest). g++
// 12 cannot do this, so bodies compiled with g++ must not call the function. Without
// REVCTL_DETAIL_IS_CONSTANT, the compiler cannot prove anything, and no type is flat
// (kProvesFlatness).

namespace revctl::detail {

/// Ends the proof when called in a constant expression. It is never called at run time, but needs a
/// definition, because unoptimized builds emit code for the probe's instantiations of bodies of
/// types in unnamed namespaces.
[[noreturn]] inline void NotFlat() { std::abort(); }

inline constexpr std::size_t kMostThresholds = 96;

/// Revisions at which a body's behavior changes, in ascending order.
struct Thresholds {
  std::size_t count = 0;
  std::int64_t at[kMostThresholds] = {};

  bool operator==(const Thresholds&) const = default;
  constexpr void Add(std::int64_t n) {
    std::size_t i = 0;
    while (i < count && at[i] < n) ++i;
    if (i < count && at[i] == n) return;
    if (count == kMostThresholds) NotFlat();
    for (std::size_t k = count; k > i; --k) at[k] = at[k - 1];
    at[i] = n;
    ++count;
  }
};

/// The revision during a proof. It notes the thresholds and does not reveal its number.
class ProbeRevision : public RevisionComparisons<ProbeRevision> {
 public:
  constexpr ProbeRevision(std::int64_t number, Thresholds* thresholds)
      : number_(number), thresholds_(thresholds) {}
  constexpr bool AtLeast(std::int64_t n) const {
    thresholds_->Add(n);
    return number_ >= n;
  }
  constexpr bool Above(std::int64_t n) const {
    return n != (std::numeric_limits<std::int64_t>::max)() && AtLeast(n + 1);
  }
  std::int64_t number() const { NotFlat(); }
  operator Revision() const { NotFlat(); }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t number_;
  Thresholds* thresholds_;
};

/// Objects that are declared but never defined: the compiler knows neither their values nor their
/// addresses, and constant expressions cannot write to them. Objects that a body could distinguish
/// by address have different `Place`s.
#ifdef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundefined-internal"
#pragma GCC diagnostic ignored "-Wundefined-var-template"
#endif
template <class T>
struct Ghost {
  T t;
};
template <class T, class Place>
extern Ghost<T> ghosts[];

template <class T, class Place = void>
constexpr T& GhostOf() {
#ifndef __clang__
  // If a type is in an unnamed namespace, g++ without optimization emits code for the probe's
  // instantiation of its body. A reference to a ghost in that code would not link, because ghosts
  // are never defined.
  if (!std::is_constant_evaluated()) NotFlat();
  else
#endif
    return ghosts<T, Place>[0].t;
}
#ifdef __clang__
#pragma GCC diagnostic pop
#endif

inline constexpr char kElsewhere = 0;

/// Runs a body and counts wire bytes. `Declared` is the SERIALIZE_DECLARE type that is being proven
/// flat, or void. Its proof may use the bodies of other declared types, which are visible only in
/// the same file. Without this parameter, the class would differ between files and violate the
/// one-definition rule.
template <bool is_reading, class Declared = void>
class FlatProbe {
 public:
  using RevctlBinaryArchive = void;
  using RevctlChecksMembers = void;
  using RevctlSeesBodies = void;
  static constexpr bool kProves = true;

  constexpr FlatProbe(std::int64_t number, Thresholds* thresholds) : revision(number, thresholds) {}

  const ProbeRevision revision;
  std::size_t wire = 0;

  static constexpr bool IsReading() { return is_reading; }
  static constexpr bool IsWriting() { return !is_reading; }
  bool Ok() const { NotFlat(); }
  template <class Text>
  void Fail(const Text&) {
    NotFlat();
  }
  void Integrity() { NotFlat(); }
  // the number of padding zeros depends on the position, so the size is not fixed
  void Align(std::size_t, std::size_t) { NotFlat(); }

  template <class T>
  constexpr void Root(T& value) {
    Value(value);
  }
  template <class T>
  constexpr void Field(T& value, const char*) {
    Value(value);
  }
  template <class T>
  constexpr void Value(T& value) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (is_reading) {
      if (!IsOfTheGhost(value)) NotFlat();
    }
    if constexpr (kIsAligned<T>) {
      NotFlat();
    } else if constexpr (HasWireAs<T>) {
      // Only the size of the wire type matters here. FlatReader and FlatWriter run the conversion.
      using Wire = typename WireAs<T>::Type;
      if constexpr (!std::is_trivially_copyable_v<Wire> || !std::is_default_constructible_v<Wire>) {
        NotFlat();
      } else {
        Value(GhostOf<Wire, T>());
      }
    } else if constexpr (HasSplitBody<T>) {
      if constexpr (SeesBody<T>) {
        RunBody(*this, value);
      } else {
        NotFlat();
      }
    } else if constexpr (kIsUnfixedEnum<T>) {
      NotFlat();  // reading must check each value
    } else if constexpr (kIsScalar<T>) {
      wire += sizeof(T);
    } else if constexpr (kind == Kind::Record) {
      RunBody(*this, value);
    } else if constexpr (kind == Kind::Array) {
      using Element = typename Shape<T>::Element;
      if constexpr (!std::is_trivially_copyable_v<Element>) {
        NotFlat();
      } else {
        // All elements have the same size, so visit only one.
        const std::size_t before = wire;
        Value(value[0]);
        wire = before + (wire - before) * Shape<T>::count;
      }
    } else {
      NotFlat();
    }
  }

 private:
  /// False for values that the body itself created, because the compiler can compare their
  /// addresses with the address of another object.
  template <class T>
  static constexpr bool IsOfTheGhost(const T& value) {
    return !REVCTL_DETAIL_IS_CONSTANT(static_cast<const void*>(std::addressof(value)) ==
                                      static_cast<const void*>(&kElsewhere));
  }

  template <class T>
  static constexpr bool SeesBody = !std::is_void_v<Declared> && StatedFlat<T> && requires {
    RevctlBody(Tag<T>{});
  };
};

/// The local variable of a REM during a proof. It is also a ghost, so that the proof notices any
/// access.
template <bool is_reading, class Declared, class T>
struct RemLocal<FlatProbe<is_reading, Declared>, T> {
  template <class F>
  // F is the type of the REM's lambda, so each REM has its own `Place`.
  constexpr explicit RemLocal(F) : value(GhostOf<T, F>()) {}
  T& value;
};

/// Wire size of a flat type in each interval of revisions.
struct FlatSizes {
  Thresholds thresholds;
  std::size_t below = 0;                   ///< size before the first threshold
  std::size_t from[kMostThresholds] = {};  ///< size at revision thresholds.at[i] and later

  bool operator==(const FlatSizes&) const = default;

  constexpr std::size_t At(std::int64_t revision) const {
    for (std::size_t i = thresholds.count; i > 0; --i) {
      if (revision >= thresholds.at[i - 1]) return from[i - 1];
    }
    return below;
  }
  /// Returns the first revision at which the body behaves the same as at the newest one.
  constexpr std::int64_t Newest() const {
    return thresholds.count == 0 ? (std::numeric_limits<std::int64_t>::min)()
                                 : thresholds.at[thresholds.count - 1];
  }
  constexpr std::size_t NewestSize() const {
    return thresholds.count == 0 ? below : from[thresholds.count - 1];
  }
};

template <class T, bool is_reading>
constexpr std::size_t ProbeAt(std::int64_t revision, Thresholds& thresholds) {
  FlatProbe<is_reading, std::conditional_t<HasSplitBody<T>, T, void>> probe(revision, &thresholds);
  probe.Value(GhostOf<T>());
  return probe.wire;
}

/// Returns the wire sizes of a flat T. If T is not flat, the call is not a constant expression.
template <class T, bool is_reading>
constexpr FlatSizes ProveFlat() {
  FlatSizes sizes;
  sizes.below =
      ProbeAt<T, is_reading>((std::numeric_limits<std::int64_t>::min)(), sizes.thresholds);
  // A run may find thresholds below the current one, so repeat until no run finds a new threshold.
  for (std::size_t known = kMostThresholds + 1; known != sizes.thresholds.count;) {
    known = sizes.thresholds.count;
    for (std::size_t i = 0; i < sizes.thresholds.count; ++i) {
      sizes.from[i] = ProbeAt<T, is_reading>(sizes.thresholds.at[i], sizes.thresholds);
    }
  }
  return sizes;
}

template <class T, bool is_reading>
inline constexpr FlatSizes kFlatSizes = ProveFlat<T, is_reading>();

#ifdef __clang__
/// Returns 1 if the proof has the same result when std::is_constant_evaluated() returns false, or a
/// value too large for one byte if the results differ. In clang, std::is_constant_evaluated()
/// returns false while the compiler checks `std::uint8_t{SaidAgain()}` for narrowing. The check
/// also fails for an expression that is not constant.
template <class T, bool is_reading>
constexpr std::uint64_t SaidAgain() {
  return ProveFlat<T, is_reading>() == kFlatSizes<T, is_reading> ? 1 : UINT64_MAX;
}
template <class T, bool is_reading>
concept ProvenInEarnest = requires {
  std::uint8_t{SaidAgain<T, is_reading>()};
};
#else
template <class T, bool is_reading>
concept ProvenInEarnest = true;
#endif

/// A record whose body is proven flat for this direction, or a type with a WireAs that is proven
/// flat.
template <class T, bool is_reading>
concept ProvenFlat = kProvesFlatness && std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
    std::is_default_constructible_v<T> && requires {
  typename std::integral_constant<std::size_t, ProveFlat<T, is_reading>().below>;
} && ProvenInEarnest<T, is_reading>;

template <class T, bool is_reading>
inline constexpr bool kFlat = false;
template <class T, bool is_reading>
requires(std::is_class_v<T> && (HasWireAs<T> || (HasBody<T> && !HasSplitBody<T>)) &&
         ProvenFlat<T, is_reading>) inline constexpr bool kFlat<T, is_reading> = true;
template <class T, bool is_reading>
requires StatedFlat<T>
inline constexpr bool kFlat<T, is_reading> =
    true;  // proven by ProveStated() in the file that contains the body

/// True if T is flat and visited directly, without a call into the file that contains its body.
template <class T, bool is_reading>
inline constexpr bool kFlatHere = kFlat<T, is_reading> && !HasSplitBody<T>;

/// Gives a compile error in the file that contains T's body if T is declared flat but is not.
template <class T, bool is_reading>
consteval void ProveStated() {
  static_assert(
      ProvenFlat<T, is_reading>,
      "revctl: declared with SERIALIZE_DECLARE_FLAT, but this body is not flat: its layout depends "
      "on the data, or a field has no fixed size or no visible body; use SERIALIZE_DECLARE");
}

}  // namespace revctl::detail
