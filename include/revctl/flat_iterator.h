#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <vector>

#include "revctl/flat_codec.h"

// Flat elements of a vector, made where they are to stand.
//
// `vector::assign(first, last)` with these iterators allocates once and constructs every element in place by a conversion:
// nothing is filled with zeros first, and nothing goes through a temporary. That takes two things of the iterator. Its
// reference is not T but a class that converts to T, since libstdc++ *assigns* where it is given a trivial T, through a copy
// on the stack (which costs dense records a third of their speed). And the code that holds the loop must inline the body:
// [[gnu::flatten]].

namespace revctl::detail {

/// Fetches lines before they are needed. The core's own prefetchers do not fetch lines that are going to be overwritten far
/// enough ahead; with this, big arrays of small records are read and written half as fast again.
inline constexpr std::uintptr_t kFetchAhead = 2048;
/// Below this size everything is in a near cache anyway.
inline constexpr std::size_t kWorthFetching = 65536;

[[gnu::always_inline]] inline void FetchToRead(const void* at, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead));
}
[[gnu::always_inline]] inline void FetchToWrite(const void* at, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead), 1);
}

/// One T in the bytes, not yet decoded: `Decoder::Make<T>(bytes)` when somebody asks for it.
template <class T, class Decoder>
class WireElement {
 public:
  [[gnu::always_inline]] WireElement(const std::byte* from, const Decoder& decoder) : from_(from), decoder_(decoder) {}
  [[gnu::always_inline]] operator T() const { return decoder_.template Make<T>(from_); }  // NOLINT: that is its purpose

 private:
  const std::byte* from_;
  const Decoder& decoder_;
};

/// Decodes by running the body over unchecked leaves.
template <class Rev>
struct LeafDecoder {
  Rev revision;
  unsigned* bad;  ///< above 1 where a bool was neither 0 nor 1

  template <class T>
  [[gnu::always_inline]] T Make(const std::byte* from) const {
    FlatReader<Rev> reader(revision, from);
    T object{};  // one return, else the copy is not elided
    RunBody(reader, object);
    *bad |= reader.bad;
    return object;
  }
};

/// Copies records whose wire form is their memory; bools are looked at before the T exists.
struct ImageDecoder {
  unsigned* bad;

  template <class T>
  [[gnu::always_inline]] T Make(const std::byte* from) const {
    constexpr BoolWindows windows = kBoolWindows<T>;
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

/// Walks wire records of one size. It calls itself random access so that assign() can subtract.
template <class T, class Decoder>
class WireIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = WireElement<T, Decoder>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = WireElement<T, Decoder>;

  /// `to`: where the T of these bytes will stand, for fetching ahead. A guess: nothing is read or written through it.
  WireIterator(const std::byte* from, std::size_t wire, const void* to, std::uintptr_t ahead, const Decoder& decoder)
      : p_(from), wire_(static_cast<difference_type>(wire)), to_(static_cast<const char*>(to)), ahead_(ahead),
        decoder_(&decoder) {}

  [[gnu::always_inline]] reference operator*() const {
    FetchToRead(p_, ahead_);
    FetchToWrite(to_, ahead_);
    return {p_, *decoder_};
  }
  [[gnu::always_inline]] WireIterator& operator++() { return *this += 1; }
  [[gnu::always_inline]] WireIterator& operator--() { return *this += -1; }
  [[gnu::always_inline]] WireIterator& operator+=(difference_type n) {
    p_ += n * wire_;
    to_ += n * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  friend difference_type operator-(const WireIterator& a, const WireIterator& b) { return (a.p_ - b.p_) / a.wire_; }
  friend bool operator==(const WireIterator& a, const WireIterator& b) { return a.p_ == b.p_; }

 private:
  const std::byte* p_;
  difference_type wire_;
  const char* to_;
  std::uintptr_t ahead_;
  const Decoder* decoder_;
};

/// Constructors that take anything would get the WireElement itself instead of the T that it becomes.
struct TakenByNobody {};
template <class C>
inline constexpr bool kMadeInPlace = false;
template <class T, class A>
inline constexpr bool kMadeInPlace<std::vector<T, A>> = kFlat<T, true> && !std::is_constructible_v<T, TakenByNobody>;

/// Fills `value` with `count` elements of `wire` bytes each, from `from` on; the caller has made sure of the bytes.
template <class C, class Decoder>
[[gnu::flatten]] void MakeInPlace(C& value, const std::byte* from, std::size_t count, std::size_t wire,
                                  const Decoder& decoder) {
  using T = typename C::value_type;
  value.clear();
  value.reserve(count);
  const std::uintptr_t ahead = count > kWorthFetching / sizeof(T) ? kFetchAhead : 0;
  using Iterator = WireIterator<T, Decoder>;
  value.assign(Iterator(from, wire, value.data(), ahead, decoder),
               Iterator(from + count * wire, wire, value.data() + count, ahead, decoder));
}

}  // namespace revctl::detail
