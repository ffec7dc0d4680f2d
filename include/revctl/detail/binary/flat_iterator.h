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

#include <revctl/detail/binary/flat_codec.h>

// Flat elements of a vector, made where they are to stand.
//
// `vector::assign(first, last)` with these iterators allocates once and constructs every element in
// place by a conversion: nothing is filled with zeros first, and nothing goes through a temporary.
// That takes two things of the iterator. Its reference is not T but a class that converts to T,
// since libstdc++ *assigns* where it is given a trivial T, through a copy on the stack (which costs
// dense records a third of their speed). And the code that holds the loop must inline the body:
// [[gnu::flatten]].

namespace revctl::detail {

/// Fetches lines before they are needed. The core's own prefetchers do not fetch lines that are
/// going to be overwritten far enough ahead; with this, big arrays of small records are read and
/// written half as fast again.
inline constexpr std::uintptr_t kFetchAhead = 2048;
/// Below this size everything is in a near cache anyway.
inline constexpr std::size_t kWorthFetching = 65536;

[[gnu::always_inline]] inline void FetchToRead(const void* at, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead));
}
[[gnu::always_inline]] inline void FetchToWrite(const void* at, std::uintptr_t ahead) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ahead),
                     1);
}

/// One T in the bytes, not yet decoded: `Decoder::Make<T>()` when it is asked for.
template <class T, class Decoder>
class WireElement {
 public:
  [[gnu::always_inline]] WireElement(const std::byte* from, std::uintptr_t ahead,
                                     const Decoder& decoder)
      : from_(from), ahead_(ahead), decoder_(decoder) {}
  [[gnu::always_inline]] operator T()
      const {  // NOLINT(google-explicit-constructor): that is its purpose
    return decoder_.template Make<T>(from_, ahead_);
  }

 private:
  const std::byte* from_;
  std::uintptr_t ahead_;
  const Decoder& decoder_;
};

/// Decodes by running the body over unchecked leaves.
template <class Rev>
struct LeafDecoder {
  Rev revision;
  unsigned* bad;  ///< above 1 where a bool was neither 0 nor 1, or a WireAs refused

  template <class T>
  [[gnu::always_inline]] T Make(const std::byte* from, std::uintptr_t ahead) const {
    FlatReader<Rev> reader(revision, from);
    T object{};  // one return, else the copy is not elided
    FetchToRead(from, ahead);
    FetchToWrite(std::addressof(object),
                 ahead);  // its place in the vector, since nothing is copied
    reader.Value(object);
    *bad |= reader.bad;
    return object;
  }
};

/// Copies records whose wire form is their memory; bools are looked at before the T exists.
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
    T object;  // one return, else the copy is not elided
    FetchToWrite(std::addressof(object), ahead);
    std::memcpy(static_cast<void*>(std::addressof(object)), from, sizeof(T));
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

/// Constructors that take anything would get the WireElement itself instead of the T that it
/// becomes.
struct TakenByNobody {};
template <class C>
inline constexpr bool kMadeInPlace = false;
template <class T, class A>
inline constexpr bool kMadeInPlace<std::vector<T, A>> =
    kFlat<T, true> && !std::is_constructible_v<T, TakenByNobody> &&
    std::is_move_constructible_v<T> && std::is_move_assignable_v<T>;

/// One revision as a type: every gate folds away. For the intervals between two thresholds of a
/// flat body.
template <std::int64_t number>
class FixedRevision : public RevisionComparisons<FixedRevision<number>> {
 public:
  static constexpr bool AtLeast(std::int64_t n) { return number >= n; }
  static constexpr bool Above(std::int64_t n) { return number > n; }
};

/// How far ahead to fetch for `count` elements.
template <class T>
constexpr std::uintptr_t FetchAhead(std::size_t count) {
  return count > kWorthFetching / sizeof(T) ? kFetchAhead : 0;
}

/// Fills `value` with `count` elements of `wire` bytes each, from `from` on; the caller has made
/// sure of the bytes.
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

/// The same for old revisions, each of which has a loop of its own: a new vector, since assign()
/// would be three loops.
template <class C, class Decoder>
[[gnu::flatten]] void MakeAnew(C& value, const std::byte* from, std::size_t count, std::size_t wire,
                               const Decoder& decoder) {
  using T = typename C::value_type;
  using Iterator = WireIterator<T, Decoder>;
  const std::uintptr_t ahead = FetchAhead<T>(count);
  value = C(Iterator(from, wire, ahead, decoder),
            Iterator(from + count * wire, wire, ahead, decoder), value.get_allocator());
}

/// Types that changed more often are read at old revisions with gates that are looked at for each
/// element.
inline constexpr std::size_t kMostLoops = 16;

/// Elements of a revision below the newest threshold.
template <class C, std::size_t... newer>
void MakeOld(C& value, const std::byte* from, std::size_t count, std::size_t wire, Revision at,
             unsigned* bad, std::index_sequence<newer...>) {
  static constexpr const FlatSizes& sizes = kFlatSizes<typename C::value_type, true>;
  static constexpr std::size_t last = sizes.thresholds.count - 1;
  if constexpr (last + 1 > kMostLoops) {
    MakeAnew(value, from, count, wire, LeafDecoder<Revision>{at, bad});
  } else {
    // The newest of them that is not above `at`.
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
