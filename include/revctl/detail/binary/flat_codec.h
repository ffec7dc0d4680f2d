#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/binary/flat_image.h>

// Reads and writes the leaves of flat types without checks. The caller must first check that there
// are enough bytes (flat_proof.h). The cursor is a member of a local object, which keeps the cursor
// in a register.

namespace revctl::detail {

/// Reads consecutive leaves. `Rev` is Revision or NewestRevision.
template <class Rev>
class FlatReader {
 public:
  using RevctlBinaryArchive = void;
  using RevctlSeesBodies = void;
  FlatReader(Rev at, const std::byte* from) : revision(at), p(from) {}

  [[no_unique_address]] const Rev revision;
  const std::byte* p;
  unsigned bad = 0;  ///< above 1 if a bool was neither 0 nor 1, or a conversion failed

  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }
  static constexpr bool Ok() { return true; }
  // This class never runs a body that calls these functions, because such a body is not flat. They
  // reject the value in case a proof is wrong.
  template <class Text>
  void Fail(const Text&) {
    bad |= 2;
  }
  void Integrity() { bad |= 2; }
  void Align(std::size_t, std::size_t) { bad |= 2; }
  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Field(T& value, const char*) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    if constexpr (HasWireAs<T>) {
      typename WireAs<T>::Type wire{};
      Value(wire);
      // The conversion never sees an invalid bool: it receives only the lowest bit of the byte, and
      // the input is rejected later.
      if (!WireAs<T>::FromWire(std::move(wire), value)) [[unlikely]]
        bad |= 2;
    } else if constexpr (kIsBool<T>) {
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
      if constexpr (kIsRaw<Element> && count != 0) {
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

template <class Rev>
class FlatWriter {
 public:
  using RevctlBinaryArchive = void;
  using RevctlSeesBodies = void;
  FlatWriter(Rev at, std::byte* to) : revision(at), p(to) {}

  [[no_unique_address]] const Rev revision;
  std::byte* p;

  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }
  static constexpr bool Ok() { return true; }
  template <class Text>
  void Fail(const Text&) {}
  void Integrity() {}
  void Align(std::size_t, std::size_t) {}
  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Field(T& value, const char*) {
    Value(value);
  }
  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    if constexpr (HasWireAs<T>) {
      typename WireAs<T>::Type wire = WireAs<T>::ToWire(value);
      Value(wire);
    } else if constexpr (kIsScalar<T>) {
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

/// Returns a pointer to the values inside `bytes`, so that the caller can copy all of them at once.
/// Returns null if the wire format differs from the in-memory representation or the values are not
/// aligned. T must be an implicit-lifetime type.
template <class T>
const T* InPlace(const std::byte* bytes) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(T) == 0;
  const bool same_order = !kSwapBytes || sizeof(T) == 1;
  return aligned && same_order ? reinterpret_cast<const T*>(bytes) : nullptr;
}

}  // namespace revctl::detail
