#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/binary/flat_proof.h>

// Detects flat types whose newest wire format is identical to their in-memory representation, so
// that many objects can be copied at once.

namespace revctl::detail {

/// The newest revision as a type, so that the compiler folds away all gates. Valid only for files
/// at FlatSizes::Newest() or later.
class NewestRevision : public RevisionComparisons<NewestRevision> {
 public:
  constexpr NewestRevision() = default;
  static constexpr bool AtLeast(std::int64_t) { return true; }
  static constexpr bool Above(std::int64_t) { return true; }
};

/// Runs a body at the newest revision in a constant expression and counts its bytes. Used by
/// IsImage().
template <bool is_reading>
class ImageArchive {
 public:
  using RevctlBinaryArchive = void;
  using RevctlSeesBodies = void;
  static constexpr bool kProves = false;

  const NewestRevision revision{};
  std::size_t wire = 0;

  static constexpr bool IsReading() { return is_reading; }
  static constexpr bool IsWriting() { return !is_reading; }
  constexpr bool Ok() const { return true; }
  template <class Text>
  void Fail(const Text&) {
    NotFlat();
  }
  void Integrity() { NotFlat(); }
  void Align(std::size_t, std::size_t) { NotFlat(); }
};

/// Fills an object with a byte pattern.
class ImageProbe : public ImageArchive</*is_reading=*/true> {
 public:
  static constexpr std::size_t kMostBools = 64;

  constexpr ImageProbe(unsigned flip, unsigned digit) : flip_(flip), digit_(digit) {}

  std::size_t bool_count = 0;
  std::size_t bool_at[kMostBools] = {};

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
    if constexpr (HasWireAs<T>) {
      NotFlat();  // two test patterns cannot prove that a conversion changes nothing
    } else if constexpr (kIsBool<T>) {
      // A bool cannot hold an arbitrary byte, so note its position for IsImageWith(), which
      // compares it separately.
      if (bool_count == kMostBools) NotFlat();
      bool_at[bool_count++] = wire;
      value = static_cast<T>(Bool(bool_count - 1));
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
  constexpr unsigned char Byte(std::size_t i) const {
    return static_cast<unsigned char>(i ^ flip_);
  }
  /// Returns the value of bool `n` in this pattern: bit `digit_` of `n`, or its complement. Any two
  /// bools differ in at least one bit.
  constexpr bool Bool(std::size_t n) const { return ((n >> digit_) & 1) != (flip_ != 0 ? 1u : 0u); }

 private:
  unsigned flip_, digit_;
};

/// Collects the bytes that a body writes. They may differ from the bytes that it reads.
class WrittenImage : public ImageArchive</*is_reading=*/false> {
 public:
  std::array<unsigned char, 255> bytes{};

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
    if constexpr (HasWireAs<T>) {
      NotFlat();
    } else if constexpr (kIsScalar<T>) {
      for (const unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof(T)>>(value))
        bytes[wire++] = byte;
    } else if constexpr (KindOf<T>() == Kind::Array) {
      for (auto& element : value) Value(element);
    } else {
      RunBody(*this, value);
    }
  }
};

/// True if the newest wire format of a flat T matches its in-memory representation for this
/// pattern. Checks reading and, unless `is_reading`, also writing.
template <class T, bool is_reading>
constexpr bool IsImageWith(unsigned flip, unsigned digit, std::size_t& bools) {
  T object{};
  ImageProbe probe(flip, digit);
  probe.Value(object);
  bools = probe.bool_count;
  if (probe.wire != sizeof(T)) return false;
  const auto memory = std::bit_cast<std::array<unsigned char, sizeof(T)>>(object);
  std::size_t next_bool = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (next_bool < probe.bool_count && probe.bool_at[next_bool] == i) {
      if (memory[i] != (probe.Bool(next_bool++) ? 1 : 0)) return false;
    } else if (memory[i] != probe.Byte(i)) {
      return false;
    }
  }
  if constexpr (!is_reading) {
    WrittenImage written;
    written.Value(object);
    if (written.wire != sizeof(T)) return false;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      if (written.bytes[i] != memory[i]) return false;
    }
  }
  return true;
}

/// Tests each pattern and its complement, to avoid mistaking a constant written by a body for data.
/// Uses enough patterns to distinguish all bools.
template <class T, bool is_reading>
constexpr bool IsImageWithAll() {
  std::size_t bools = 0;
  for (unsigned digit = 0; digit == 0 || (bools > 0 && (bools - 1) >> digit != 0); ++digit) {
    if (!IsImageWith<T, is_reading>(0, digit, bools) ||
        !IsImageWith<T, is_reading>(0xFF, digit, bools))
      return false;
  }
  return true;
}

template <class T, bool is_reading>
concept ImageProof = requires {
  typename std::integral_constant<bool, IsImageWithAll<T, is_reading>()>;
};

template <class T, bool is_reading>
consteval bool IsImage() {
  if constexpr (kSwapBytes || sizeof(T) > 255 || !kFlat<T, is_reading>) {
    return false;
  } else if constexpr (kFlatSizes<T, is_reading>.NewestSize() != sizeof(T)) {
    return false;
  } else if constexpr (ImageProof<T, is_reading>) {
    return IsImageWithAll<T, is_reading>();
  } else {
    return false;
  }
}

/// True if the newest wire format of T is identical to its in-memory representation.
template <class T, bool is_reading>
inline constexpr bool kImage = IsImage<T, is_reading>();

/// Masks that detect bool bytes other than 0 and 1, eight bytes at a time.
struct BoolWindows {
  std::size_t count = 0;
  std::size_t at[ImageProbe::kMostBools] = {};
  std::uint64_t mask[ImageProbe::kMostBools] = {};
};
template <class T>
consteval BoolWindows FindBoolWindows() {
  T object{};
  ImageProbe probe(0, 0);
  RunBody(probe, object);
  BoolWindows windows;
  for (std::size_t i = 0; i < probe.bool_count;) {
    const std::size_t at = probe.bool_at[i] + 8 > probe.wire ? probe.wire - 8 : probe.bool_at[i];
    std::uint64_t mask = 0;
    for (; i < probe.bool_count && probe.bool_at[i] < at + 8; ++i)
      mask |= std::uint64_t{0xFE} << (8 * (probe.bool_at[i] - at));
    windows.at[windows.count] = at;
    windows.mask[windows.count++] = mask;
  }
  return windows;
}
template <class T>
inline constexpr BoolWindows kBoolWindows = FindBoolWindows<T>();
/// True if the bools of an image can be tested 8 bytes at a time. Smaller types are read leaf by
/// leaf.
template <class T>
consteval bool ImageIsTestable() {
  return sizeof(T) >= 8;
}

}  // namespace revctl::detail
