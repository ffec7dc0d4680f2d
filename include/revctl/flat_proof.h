#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

#include "revctl/archive.h"
#include "revctl/little_endian.h"
#include "revctl/macros.h"
#include "revctl/revision.h"
#include "revctl/wire_kind.h"

// Flat types, proven by the compiler.
//
// The body is run as a constant expression on an object whose lifetime never began, by an archive that only counts bytes.
// Any look at data (a branch, a loop bound, a fix-up) is then no constant expression, and the type is not flat; nothing is
// promised by the user. What remains visits the same leaves for every value: its size depends on the revision alone. So
// one check of the size covers unchecked leaves, and a whole vector is checked at once.
//
// Revisions: the walk notes which numbers the body compares with. Between two of them it behaves the same, so one walk for
// each interval is a proof for all revisions, without knowledge of the list.
//
// g++ 12 does not notice that a constant is written to a field (`d.b = 5`), and from then on knows its value. Behind the
// visit that is harmless: the unchecked leaves run the body, and copying the bytes as a whole image has a test of its own
// (IsImage). Before the visit it would not be: the body could go on to look at what the probe still holds for that constant,
// and reading replaces. So a field that is known when it is visited ends the proof of reading (RequireUntouched). What this
// does not see: under clang a local of type std::array of records, or with a WireAs, that the body itself hands to Serialize;
// locals of REM have no value at all.

namespace revctl::detail {

/// Never called: its name in a constant expression ends the proof. Defined all the same, since without optimisation a
/// compiler emits the bodies of types in unnamed namespaces for the probe as well.
[[noreturn]] inline void NotFlat() { std::abort(); }

inline constexpr std::size_t kMostThresholds = 96;

/// Numbers at which a body changes its behaviour, ascending.
struct Thresholds {
  std::size_t count = 0;
  std::int64_t at[kMostThresholds] = {};

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

/// A revision in a proof: notes the thresholds, and gives its number to nobody.
class ProbeRevision : public RevisionComparisons<ProbeRevision> {
 public:
  constexpr ProbeRevision(std::int64_t number, Thresholds* thresholds) : number_(number), thresholds_(thresholds) {}
  constexpr bool AtLeast(std::int64_t n) const {
    thresholds_->Add(n);
    return number_ >= n;
  }
  constexpr bool Above(std::int64_t n) const {
    return n != std::numeric_limits<std::int64_t>::max() && AtLeast(n + 1);
  }
  std::int64_t number() const { NotFlat(); }
  operator Revision() const { NotFlat(); }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t number_;
  Thresholds* thresholds_;
};

/// Storage without an object: looking at `t` is no constant expression.
template <class T>
union Ghost {
  constexpr Ghost() : nothing() {}
  char nothing;
  T t;
};

/// Walks a body and counts wire bytes. `Declared` is the type whose body stands in a source file of its own, if the proof is
/// about one: other declared types are part of it where that file has their bodies too, and this is then a class of its own,
/// so that no two files mean different things by one name.
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

  template <class T>
  constexpr void Root(T& value) {
    Value(value);
  }
  template <class T>
  constexpr void Value(T& value) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (is_reading && !std::is_array_v<T>) RequireUntouched(value);
    if constexpr (HasWireAs<T>) {
      // As long as what it travels as, whatever the conversion does; it is run by FlatReader and FlatWriter.
      using Wire = typename WireAs<T>::Type;
      if constexpr (!std::is_trivially_copyable_v<Wire> || !std::is_default_constructible_v<Wire>) {
        NotFlat();
      } else {
        Ghost<Wire> wire_value;
        Value(wire_value.t);
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
        Ghost<Element> one;
        const std::size_t before = wire;
        Value(one.t);
        const std::size_t of_one = wire - before;
        if constexpr (is_reading) {
          for (std::size_t i = 0; i < Shape<T>::count && i < kMostAsked<Element>; ++i) {
            if constexpr (KindOf<Element>() == Kind::Record && !HasWireAs<Element> && kMayIndex<T>) Value(value[i]);
            else if constexpr (std::is_array_v<Element>) RequireUntouched(value[i]);
            else if (__builtin_constant_p(value[i])) NotFlat();
          }
        }
        wire = before + of_one * Shape<T>::count;
      }
    } else {
      NotFlat();
    }
  }

 private:
  /// So many elements of an array are asked one by one; a constant written to a later one goes unnoticed, since asking
  /// all of a large array takes the compiler seconds.
  template <class T>
  static constexpr std::size_t kMostAsked = KindOf<T>() == Kind::Record ? 16 : 1024;

  /// clang calls no operator[] on what never began, where it lets no body write either.
#ifdef __clang__
  template <class T>
  static constexpr bool kMayIndex = std::is_array_v<T>;
#else
  template <class T>
  static constexpr bool kMayIndex = true;
#endif

  /// Ends the proof where something was written to `value` before it is read.
  template <class T>
  static constexpr void RequireUntouched(T& value) {
    if constexpr (std::is_array_v<T>) {
      for (std::size_t i = 0; i < std::extent_v<T> && i < kMostAsked<std::remove_extent_t<T>>; ++i) RequireUntouched(value[i]);
    } else if constexpr (!std::is_empty_v<T>) {
      if (__builtin_constant_p(value)) NotFlat();
    }
  }

  template <class T>
  static constexpr bool SeesBody = !std::is_void_v<Declared> && StatedFlat<T> && requires { RevctlBody(Tag<T>{}); };
};

/// The local of a REM in a proof: never initialised, so that looking at it is noticed too.
template <bool is_reading, class Declared, class T>
struct RemLocal<FlatProbe<is_reading, Declared>, T> {
  template <class F>
  constexpr explicit RemLocal(F) {
    if constexpr (!std::is_trivially_copyable_v<T>) NotFlat();
  }
  std::conditional_t<std::is_trivially_copyable_v<T>, Ghost<T>, T> ghost;
  T& value = Of(ghost);

 private:
  static constexpr T& Of(Ghost<T>& ghost) { return ghost.t; }
  static constexpr T& Of(T& local) { return local; }
};

/// Wire size of a flat type in each interval of revisions.
struct FlatSizes {
  Thresholds thresholds;
  std::size_t below = 0;                    ///< before the first threshold
  std::size_t from[kMostThresholds] = {};   ///< from thresholds.at[i] on

  constexpr std::size_t At(std::int64_t revision) const {
    for (std::size_t i = thresholds.count; i > 0; --i) {
      if (revision >= thresholds.at[i - 1]) return from[i - 1];
    }
    return below;
  }
  /// From here on the body behaves as in the newest revision.
  constexpr std::int64_t Newest() const {
    return thresholds.count == 0 ? std::numeric_limits<std::int64_t>::min() : thresholds.at[thresholds.count - 1];
  }
  constexpr std::size_t NewestSize() const { return thresholds.count == 0 ? below : from[thresholds.count - 1]; }
};

template <class T, bool is_reading>
constexpr std::size_t ProbeAt(std::int64_t revision, Thresholds& thresholds) {
  Ghost<T> ghost;
  FlatProbe<is_reading, std::conditional_t<HasSplitBody<T>, T, void>> probe(revision, &thresholds);
  probe.Value(ghost.t);
  return probe.wire;
}

/// No constant expression for types that are not flat.
template <class T, bool is_reading>
constexpr FlatSizes ProveFlat() {
  FlatSizes sizes;
  sizes.below = ProbeAt<T, is_reading>(std::numeric_limits<std::int64_t>::min(), sizes.thresholds);
  // A walk may find thresholds that stand before the one at hand: begin anew until nothing is found.
  for (std::size_t known = kMostThresholds + 1; known != sizes.thresholds.count;) {
    known = sizes.thresholds.count;
    for (std::size_t i = 0; i < sizes.thresholds.count; ++i) {
      sizes.from[i] = ProbeAt<T, is_reading>(sizes.thresholds.at[i], sizes.thresholds);
    }
  }
  return sizes;
}

/// A record whose body was proven flat for this direction, or a type that travels as one.
template <class T, bool is_reading>
concept ProvenFlat = std::is_class_v<T> && std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                     requires { typename std::integral_constant<std::size_t, ProveFlat<T, is_reading>().below>; };

template <class T, bool is_reading>
inline constexpr bool kFlat = false;
template <class T, bool is_reading>
  requires(std::is_class_v<T> && (HasWireAs<T> || (HasBody<T> && !HasSplitBody<T>)) && ProvenFlat<T, is_reading>)
inline constexpr bool kFlat<T, is_reading> = true;
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
                "revctl: SERIALIZE_DECLARE_FLAT, but this body is not flat: it looks at data, or visits something that has no "
                "fixed size or whose body is elsewhere; declare the type with SERIALIZE_DECLARE");
}

template <class T, bool is_reading>
inline constexpr FlatSizes kFlatSizes = ProveFlat<T, is_reading>();

/// The newest revision as a type: all gates fold away. Only used from FlatSizes::Newest() on, where it is the truth.
class NewestRevision : public RevisionComparisons<NewestRevision> {
 public:
  constexpr NewestRevision() = default;
  static constexpr bool AtLeast(std::int64_t) { return true; }
  static constexpr bool Above(std::int64_t) { return true; }
};

/// Puts bytes into an object as a constant expression, and counts; for IsImage.
class ImageProbe {
 public:
  using RevctlBinaryArchive = void;
  using RevctlSeesBodies = void;
  static constexpr bool kProves = false;
  static constexpr std::size_t kMostBools = 64;

  constexpr explicit ImageProbe(unsigned flip) : flip_(flip) {}

  const NewestRevision revision{};
  std::size_t wire = 0;
  std::size_t bool_count = 0;
  std::size_t bool_at[kMostBools] = {};

  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }
  constexpr bool Ok() const { return true; }
  template <class Text>
  void Fail(const Text&) {
    NotFlat();
  }
  void Integrity() { NotFlat(); }
  template <class T>
  constexpr void Root(T& value) {
    Value(value);
  }
  template <class T>
  constexpr void Value(T& value) {
    if constexpr (HasWireAs<T>) {
      NotFlat();  // two patterns do not prove that a conversion converts nothing
    } else if constexpr (kIsBool<T>) {
      // A bool cannot hold any byte: its place is noted instead, and the image compared around it.
      if (bool_count == kMostBools) NotFlat();
      bool_at[bool_count++] = wire;
      value = static_cast<T>(flip_ != 0);
      wire += 1;
    } else if constexpr (kIsScalar<T>) {
      std::array<unsigned char, sizeof(T)> bytes{};
      for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = Byte(wire + i);
      value = std::bit_cast<T>(bytes);
      wire += sizeof(T);
    } else if constexpr (KindOf<T>() == Kind::Array) {
      for (auto& element : value) Value(element);
    } else {
      RunBody(*this, value);
    }
  }
  constexpr unsigned char Byte(std::size_t i) const { return static_cast<unsigned char>(i ^ flip_); }

 private:
  unsigned flip_;
};

/// True where the newest wire form of a flat T is its memory, byte for byte. Tested with two patterns, so that no constant
/// which a body writes passes for data.
template <class T>
constexpr bool IsImageWith(unsigned flip) {
  T object{};
  ImageProbe probe(flip);
  probe.Value(object);
  if (probe.wire != sizeof(T)) return false;
  const auto memory = std::bit_cast<std::array<unsigned char, sizeof(T)>>(object);
  std::size_t next_bool = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (next_bool < probe.bool_count && probe.bool_at[next_bool] == i) {
      ++next_bool;
      if (memory[i] != (flip != 0 ? 1 : 0)) return false;
    } else if (memory[i] != probe.Byte(i)) {
      return false;
    }
  }
  return true;
}

template <class T>
concept ImageProof = requires { typename std::integral_constant<bool, IsImageWith<T>(0) && IsImageWith<T>(0xFF)>; };

template <class T, bool is_reading>
consteval bool IsImage() {
  if constexpr (kSwapBytes || sizeof(T) > 255 || !kFlat<T, is_reading>) {
    return false;
  } else if constexpr (kFlatSizes<T, is_reading>.NewestSize() != sizeof(T)) {
    return false;
  } else if constexpr (ImageProof<T>) {
    return IsImageWith<T>(0) && IsImageWith<T>(0xFF);
  } else {
    return false;
  }
}

/// The newest wire form of T is its memory image.
template <class T, bool is_reading>
inline constexpr bool kImage = IsImage<T, is_reading>();

/// Masks that find a bool byte other than 0 and 1, eight bytes at a time.
struct BoolWindows {
  std::size_t count = 0;
  std::size_t at[ImageProbe::kMostBools] = {};
  std::uint64_t mask[ImageProbe::kMostBools] = {};
};
template <class T>
consteval BoolWindows FindBoolWindows() {
  T object{};
  ImageProbe probe(0);
  RunBody(probe, object);
  BoolWindows windows;
  for (std::size_t i = 0; i < probe.bool_count;) {
    const std::size_t at = probe.bool_at[i] + 8 > probe.wire ? probe.wire - 8 : probe.bool_at[i];
    std::uint64_t mask = 0;
    for (; i < probe.bool_count && probe.bool_at[i] < at + 8; ++i) mask |= std::uint64_t{0xFE} << (8 * (probe.bool_at[i] - at));
    windows.at[windows.count] = at;
    windows.mask[windows.count++] = mask;
  }
  return windows;
}
template <class T>
inline constexpr BoolWindows kBoolWindows = FindBoolWindows<T>();
/// Images with bools are tested in windows of eight bytes; smaller ones go leaf by leaf.
template <class T>
consteval bool ImageIsTestable() {
  return sizeof(T) >= 8;
}

}  // namespace revctl::detail
