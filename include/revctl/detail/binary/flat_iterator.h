#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/binary/flat_codec.h>

// Constructs the flat elements of a vector in place.
//
// `vector::assign(first, last)` with these iterators allocates once and constructs each element in
// place by a conversion, without zeroing memory first and without a temporary. This requires two
// things. First, the iterator's reference is not T but a class that converts to T, because
// libstdc++ *assigns* trivial Ts through a copy on the stack, which slows down the reading of dense
// records by a third. Second, the function with the loop must inline the body, hence
// [[gnu::flatten]].

namespace revctl::detail {

/// Prefetch distance in bytes. Hardware prefetchers do not look far enough ahead for cache lines
/// that will be overwritten. This distance makes reading and writing large arrays of small records
/// 1.5 times as fast.
inline constexpr std::uintptr_t kFetchAhead = 2048;
/// Smaller arrays are not prefetched, because they are usually in a near cache anyway.
inline constexpr std::size_t kWorthFetching = 65536;

[[gnu::always_inline]] inline void FetchToRead(const void* at, std::uintptr_t ahead) {
  REVCTL_DETAIL_PREFETCH(
      reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead), 0);
}
[[gnu::always_inline]] inline void FetchToWrite(const void* at, std::uintptr_t ahead) {
  REVCTL_DETAIL_PREFETCH(
      reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead), 1);
}

/// A T in wire format. Converting it to T decodes it with `Decoder::Make<T>()`.
template <class T, class Decoder>
class WireElement {
 public:
  [[gnu::always_inline]] WireElement(const std::byte* from, std::uintptr_t ahead,
                                     const Decoder& decoder)
      : from_(from), ahead_(ahead), decoder_(decoder) {}
  [[gnu::always_inline]] operator T() const {  // NOLINT(google-explicit-constructor)
    return decoder_.template Make<T>(from_, ahead_);
  }

 private:
  const std::byte* from_;
  std::uintptr_t ahead_;
  const Decoder& decoder_;
};

/// Decodes an element by running the body on unchecked leaves.
template <class Rev>
struct LeafDecoder {
  Rev revision;
  unsigned* bad;  ///< above 1 if a bool was neither 0 nor 1, or a conversion failed

  template <class T>
  [[gnu::always_inline]] T Make(const std::byte* from, std::uintptr_t ahead) const {
    FlatReader<Rev> reader(revision, from);
    T object{};  // a single return statement lets the compiler elide the copy
    FetchToRead(from, ahead);
    // Because the copy is elided, the object is already at its final address in the vector.
    FetchToWrite(std::addressof(object), ahead);
    reader.Value(object);
    *bad |= reader.bad;
    return object;
  }
};

/// Copies records whose wire format is identical to their in-memory representation. Checks the
/// bools before creating a T from the bytes.
struct ImageDecoder {
  unsigned* bad;

  template <class T>
  [[gnu::always_inline]] T Make(const std::byte* from, std::uintptr_t ahead) const {
    FetchToRead(from, ahead);
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
    T object;  // a single return statement lets the compiler elide the copy
    FetchToWrite(std::addressof(object), ahead);
    std::memcpy(static_cast<void*>(std::addressof(object)), from, sizeof(T));
    return object;
  }
};

/// Iterates over wire records of the same size. This is a random-access iterator, so assign() can
/// compute the distance.
template <class T, class Decoder>
class WireIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = WireElement<T, Decoder>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = WireElement<T, Decoder>;

  WireIterator(const std::byte* from, std::size_t wire, std::uintptr_t ahead,
               const Decoder& decoder)
      : p_(from), wire_(static_cast<difference_type>(wire)), ahead_(ahead), decoder_(&decoder) {}

  [[gnu::always_inline]] reference operator*() const { return {p_, ahead_, *decoder_}; }
  [[gnu::always_inline]] WireIterator& operator++() { return *this += 1; }
  [[gnu::always_inline]] WireIterator& operator--() { return *this += -1; }
  [[gnu::always_inline]] WireIterator& operator+=(difference_type n) {
    p_ += n * wire_;
    return *this;
  }
  friend difference_type operator-(const WireIterator& a, const WireIterator& b) {
    return (a.p_ - b.p_) / a.wire_;
  }
  friend bool operator==(const WireIterator& a, const WireIterator& b) { return a.p_ == b.p_; }

 private:
  const std::byte* p_;
  difference_type wire_;
  std::uintptr_t ahead_;
  const Decoder* decoder_;
};

/// A type without conversions. An element that can be constructed from it has a constructor that
/// accepts anything. That constructor would get the WireElement instead of the T, so such elements
/// are excluded.
struct TakenByNobody {};
template <class C>
inline constexpr bool kMadeInPlace = false;
template <class T, class A>
inline constexpr bool kMadeInPlace<std::vector<T, A>> =
    kFlat<T, true> && !std::is_constructible_v<T, TakenByNobody> &&
    std::is_move_constructible_v<T> && std::is_move_assignable_v<T>;

/// A revision as a type, so that the compiler folds away every comparison with it. It represents
/// the interval between two thresholds of a flat body.
template <std::int64_t number>
class FixedRevision : public RevisionComparisons<FixedRevision<number>> {
 public:
  static constexpr bool AtLeast(std::int64_t n) { return number >= n; }
  static constexpr bool Above(std::int64_t n) { return number > n; }
};

template <class T>
constexpr std::uintptr_t FetchAhead(std::size_t count) {
  return count > kWorthFetching / sizeof(T) ? kFetchAhead : 0;
}

/// Fills `value` with `count` elements of `wire` bytes each, starting at `from`. The caller must
/// first check that there are enough bytes.
template <class C, class Decoder>
[[gnu::flatten]] void MakeInPlace(C& value, const std::byte* from, std::size_t count,
                                  std::size_t wire, const Decoder& decoder) {
  using T = typename C::value_type;
  using Iterator = WireIterator<T, Decoder>;
  const std::uintptr_t ahead = FetchAhead<T>(count);
  value.clear();
  value.assign(Iterator(from, wire, ahead, decoder),
               Iterator(from + count * wire, wire, ahead, decoder));
}

/// Like MakeInPlace(), but for old revisions, which need one loop per threshold. Constructs a new
/// vector, because assign() would instantiate three loops.
template <class C, class Decoder>
[[gnu::flatten]] void MakeAnew(C& value, const std::byte* from, std::size_t count, std::size_t wire,
                               const Decoder& decoder) {
  using T = typename C::value_type;
  using Iterator = WireIterator<T, Decoder>;
  const std::uintptr_t ahead = FetchAhead<T>(count);
  value = C(Iterator(from, wire, ahead, decoder),
            Iterator(from + count * wire, wire, ahead, decoder), value.get_allocator());
}

/// Types with more thresholds than this do not get a separate loop per threshold. They evaluate
/// their gates for every element of an old revision.
inline constexpr std::size_t kMostLoops = 16;

/// Fills `value` with elements written at a revision below the newest threshold.
template <class C, std::size_t... newer>
void MakeOld(C& value, const std::byte* from, std::size_t count, std::size_t wire, Revision at,
             unsigned* bad, std::index_sequence<newer...>) {
  static constexpr const FlatSizes& sizes = kFlatSizes<typename C::value_type, true>;
  static constexpr std::size_t last = sizes.thresholds.count - 1;
  if constexpr (last + 1 > kMostLoops) {
    MakeAnew(value, from, count, wire, LeafDecoder<Revision>{at, bad});
  } else {
    // Use the newest threshold that is not above `at`.
    const bool found =
        ((at.AtLeast(sizes.thresholds.at[last - 1 - newer]) &&
          (MakeAnew(value, from, count, sizes.from[last - 1 - newer],
                    LeafDecoder<FixedRevision<sizes.thresholds.at[last - 1 - newer]>>{{}, bad}),
           true)) ||
         ...);
    if (!found) {
      using Before = FixedRevision<(std::numeric_limits<std::int64_t>::min)()>;
      MakeAnew(value, from, count, sizes.below, LeafDecoder<Before>{{}, bad});
    }
  }
}
template <class C>
void MakeOld(C& value, const std::byte* from, std::size_t count, std::size_t wire, Revision at,
             unsigned* bad) {
  constexpr std::size_t thresholds = kFlatSizes<typename C::value_type, true>.thresholds.count;
  constexpr std::size_t loops = thresholds > kMostLoops ? 0 : thresholds - 1;
  MakeOld(value, from, count, wire, at, bad, std::make_index_sequence<loops>());
}

}  // namespace revctl::detail
