#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "revctl/flat_proof.h"
#include "revctl/little_endian.h"

// Leaves of flat types without checks: somebody has made sure that the bytes are there (flat_proof.h). The cursor is a local
// of whoever decodes, so that it lives in a register.

namespace revctl::detail {

/// Reads leaves one after another. `Rev` is Revision or NewestRevision.
template <class Rev>
class FlatReader {
 public:
  using RevctlBinaryArchive = void;
  FlatReader(Rev at, const std::byte* from) : revision(at), p(from) {}

  [[no_unique_address]] const Rev revision;
  const std::byte* p;
  unsigned bad = 0;  ///< above 1 where a bool was neither 0 nor 1

  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }
  static constexpr bool Ok() { return true; }
  template <class Text>
  void Fail(const Text&) {}  // not in a flat body
  void Integrity() {}        // not in a flat body
  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    if constexpr (kIsBool<T>) {
      const unsigned byte = static_cast<unsigned char>(*p);
      bad |= byte;
      value = static_cast<T>((byte & 1) != 0);
      p += 1;
    } else if constexpr (kIsScalar<T>) {
      CopyValue<T>(std::addressof(value), p);
      p += sizeof(T);
    } else if constexpr (KindOf<T>() == Kind::Array) {
      using Element = typename Shape<T>::Element;
      constexpr std::size_t count = Shape<T>::count;
      if constexpr (kIsScalar<Element> && !kIsBool<Element> && count != 0) {
        CopyValues<Element>(std::addressof(value[0]), p, count);
        p += count * sizeof(Element);
      } else {
        for (auto& element : value) Value(element);
      }
    } else {
      RunBody(*this, value);
    }
  }
};

/// Writes leaves one after another.
template <class Rev>
class FlatWriter {
 public:
  using RevctlBinaryArchive = void;
  FlatWriter(Rev at, std::byte* to) : revision(at), p(to) {}

  [[no_unique_address]] const Rev revision;
  std::byte* p;

  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }
  static constexpr bool Ok() { return true; }
  template <class Text>
  void Fail(const Text&) {}
  void Integrity() {}
  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    if constexpr (kIsScalar<T>) {
      CopyValue<T>(p, std::addressof(value));
      p += sizeof(T);
    } else if constexpr (KindOf<T>() == Kind::Array) {
      using Element = typename Shape<T>::Element;
      constexpr std::size_t count = Shape<T>::count;
      if constexpr (kIsScalar<Element> && count != 0) {
        CopyValues<Element>(p, std::addressof(value[0]), count);
        p += count * sizeof(Element);
      } else {
        for (auto& element : value) Value(element);
      }
    } else {
      RunBody(*this, value);
    }
  }
};

/// Values whose wire form is their memory, in place: bytes that hold them may be looked at as them, where they are aligned
/// (T is of implicit lifetime). Null where they are not. One copy of all of them then needs no cache for the target at all.
template <class T>
const T* InPlace(const std::byte* bytes) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(T) == 0;
  return aligned && !kSwapBytes ? reinterpret_cast<const T*>(bytes) : nullptr;
}

/// What DecodeIterator and ImageIterator share: a position in wire records of one size.
///
/// `vector::assign(first, last)` with such iterators allocates once and constructs every element in place by `*it`: nothing is
/// filled with zeros first. They call themselves random access so that assign() can subtract; `*it` gives a value all the same.
template <class Self, class T>
struct WireIterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = T;

  const std::byte* p;
  std::size_t wire;

  [[gnu::always_inline]] Self& operator++() {
    p += wire;
    return static_cast<Self&>(*this);
  }
  [[gnu::always_inline]] Self& operator--() {
    p -= wire;
    return static_cast<Self&>(*this);
  }
  [[gnu::always_inline]] Self& operator+=(difference_type n) {
    p += n * static_cast<difference_type>(wire);
    return static_cast<Self&>(*this);
  }
  friend difference_type operator-(const Self& a, const Self& b) { return (a.p - b.p) / static_cast<difference_type>(a.wire); }
  friend bool operator==(const Self& a, const Self& b) { return a.p == b.p; }
};

/// Decodes one T by running its body over unchecked leaves.
template <class T, class Rev>
struct DecodeIterator : WireIterator<DecodeIterator<T, Rev>, T> {
  Rev revision;
  unsigned* bad;

  DecodeIterator(const std::byte* from, std::size_t size, Rev at, unsigned* bad_bools)
      : WireIterator<DecodeIterator, T>{from, size}, revision(at), bad(bad_bools) {}
  [[gnu::always_inline]] T operator*() const {
    FlatReader<Rev> reader(revision, this->p);
    T object{};  // one return, else the copy is not elided
    RunBody(reader, object);
    *bad |= reader.bad;
    return object;
  }
};

/// Copies one T whose wire form is its memory; bools are looked at before the T exists.
template <class T>
struct ImageIterator : WireIterator<ImageIterator<T>, T> {
  unsigned* bad;

  ImageIterator(const std::byte* from, unsigned* bad_bools) : WireIterator<ImageIterator, T>{from, sizeof(T)}, bad(bad_bools) {}
  [[gnu::always_inline]] T operator*() const {
    constexpr BoolWindows windows = kBoolWindows<T>;
    const std::byte* from = this->p;
    if constexpr (windows.count != 0) {
      static constexpr std::byte zeros[sizeof(T)] = {};
      std::uint64_t found = 0;
      for (std::size_t i = 0; i < windows.count; ++i) {
        std::uint64_t bytes;
        std::memcpy(&bytes, from + windows.at[i], 8);
        found |= bytes & windows.mask[i];
      }
      if (found != 0) [[unlikely]] {
        *bad = 2;
        from = zeros;
      }
    }
    T object;  // one return, else the copy is not elided
    std::memcpy(static_cast<void*>(&object), from, sizeof(T));
    return object;
  }
};

}  // namespace revctl::detail
