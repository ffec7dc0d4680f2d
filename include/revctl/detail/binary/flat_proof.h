#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <type_traits>

#include <revctl/detail/base/revision.h>
#include <revctl/detail/types/wire_kind.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>

// Flat types, proven by the compiler.
//
// The body is run as a constant expression, by an archive that only counts bytes, on an object that
// is declared and defined nowhere (GhostOf). Any look at data (a branch, a loop bound, a fix-up) is
// then no constant expression, nor is writing to it, nor comparing its address, and the type is not
// flat; nothing is promised by the user. What remains visits the same leaves for every value: its
// size depends on the revision alone. So one check of the size covers unchecked leaves, and a whole
// vector is checked at once.
//
// Revisions: the walk notes which numbers the body compares with. Between two of them it behaves
// the same, so one walk for each interval is a proof for all revisions, without knowledge of the
// list.
//
// What a body makes for itself (a local that it hands to Serialize) has values that the compiler
// knows, and would go on knowing where reading replaces them: reading into it ends the proof
// (IsOfTheGhost). Bodies may ask whether they are evaluated as constants: clang runs the proof once
// more where the answer is no (ProvenInEarnest). g++ 12 cannot be made to: there a body that asks
// std::is_constant_evaluated() deceives the proof, and must not.

namespace revctl::detail {

/// Never called: its name in a constant expression ends the proof. Defined all the same, since
/// without optimisation a compiler emits the bodies of types in unnamed namespaces for the probe as
/// well.
[[noreturn]] inline void NotFlat() { std::abort(); }

inline constexpr std::size_t kMostThresholds = 96;

/// Numbers at which a body changes its behaviour, ascending.
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

/// A revision in a proof: notes the thresholds, and gives its number away to no body.
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

/// Elements of unknown number, somewhere: neither their values nor their addresses are known to a
/// compiler, and no constant expression may write to them. `Place` tells apart what a body
/// can tell apart by its address.
#pragma GCC diagnostic push
#ifdef __clang__
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
  // Without optimisation g++ emits the bodies of types in unnamed namespaces for the probe as well;
  // none may need a ghost.
  if (!__builtin_is_constant_evaluated()) NotFlat();
  else
#endif
    return ghosts<T, Place>[0].t;
}
#pragma GCC diagnostic pop

inline constexpr char kElsewhere = 0;

/// Walks a body and counts wire bytes. `Declared` is the type whose body stands in a source file of
/// its own, if the proof is about one: other declared types are part of it where that file has
/// their bodies too, and this is then a class of its own, so that no two files mean different
/// things by one name.
template <bool is_reading, class Declared = void>
class FlatProbe {
 public:
  using RevctlBinaryArchive = void;
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
  void Align(std::size_t, std::size_t) { NotFlat(); }  // how many zeros depends on the place

  template <class T>
  constexpr void Root(T& value) {
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
      // As long as what it travels as, whatever the conversion does; it is run by FlatReader and
      // FlatWriter.
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
      NotFlat();  // each value is checked
    } else if constexpr (kIsScalar<T>) {
      wire += sizeof(T);
    } else if constexpr (kind == Kind::Record) {
      RunBody(*this, value);
    } else if constexpr (kind == Kind::Array) {
      using Element = typename Shape<T>::Element;
      if constexpr (!std::is_trivially_copyable_v<Element>) {
        NotFlat();
      } else {
        // All elements are alike: one stands for all.
        const std::size_t before = wire;
        Value(value[0]);
        wire = before + (wire - before) * Shape<T>::count;
      }
    } else {
      NotFlat();
    }
  }

 private:
  /// False for what the body itself has made: the compiler can tell its address from another one.
  template <class T>
  static constexpr bool IsOfTheGhost(const T& value) {
    return !__builtin_constant_p(static_cast<const void*>(std::addressof(value)) ==
                                 static_cast<const void*>(&kElsewhere));
  }

  template <class T>
  static constexpr bool SeesBody = !std::is_void_v<Declared> && StatedFlat<T> && requires {
    RevctlBody(Tag<T>{});
  };
};

/// The local of a REM in a proof: a ghost as well, so that looking at it is noticed too.
template <bool is_reading, class Declared, class T>
struct RemLocal<FlatProbe<is_reading, Declared>, T> {
  template <class F>
  constexpr explicit RemLocal(F)
      : value(GhostOf<T, F>()) {}  // each REM has a lambda, and so a place, of its own
  T& value;
};

/// Wire size of a flat type in each interval of revisions.
struct FlatSizes {
  Thresholds thresholds;
  std::size_t below = 0;                   ///< before the first threshold
  std::size_t from[kMostThresholds] = {};  ///< from thresholds.at[i] on

  bool operator==(const FlatSizes&) const = default;

  constexpr std::size_t At(std::int64_t revision) const {
    for (std::size_t i = thresholds.count; i > 0; --i) {
      if (revision >= thresholds.at[i - 1]) return from[i - 1];
    }
    return below;
  }
  /// From here on the body behaves as in the newest revision.
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

/// No constant expression for types that are not flat.
template <class T, bool is_reading>
constexpr FlatSizes ProveFlat() {
  FlatSizes sizes;
  sizes.below =
      ProbeAt<T, is_reading>((std::numeric_limits<std::int64_t>::min)(), sizes.thresholds);
  // A walk may find thresholds that stand before the one at hand: begin anew until nothing is
  // found.
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
/// One byte's worth, where the proof says the same to a body that asks whether it is evaluated as a
/// constant, and is told that it is not: so clang asks when it looks whether a conversion narrows.
/// Anything else than a constant narrows.
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

/// A record whose body was proven flat for this direction, or a type that travels as one.
template <class T, bool is_reading>
concept ProvenFlat = std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
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
inline constexpr bool kFlat<T, is_reading> = true;  // the file with the body proves it: ProveStated

/// Flat, and to be visited where it is named, not by a call into the file that has the body.
template <class T, bool is_reading>
inline constexpr bool kFlatHere = kFlat<T, is_reading> && !HasSplitBody<T>;

/// Stops the compilation of the file that has T's body where T is not as flat as its header says.
template <class T, bool is_reading>
consteval void ProveStated() {
  static_assert(ProvenFlat<T, is_reading>,
                "revctl: SERIALIZE_DECLARE_FLAT, but this body is not flat: it looks at data, or a "
                "field has no fixed size or no visible body; use SERIALIZE_DECLARE");
}

}  // namespace revctl::detail
