#pragma once
#include <cstddef>
#include <string>

#include <revctl/detail/types/type_info.h>

// Fields that stand at an alignment in the file, so that views can refer to them (view.h).

namespace revctl {

/// A value with zeros before it on the wire, up to a multiple of `alignment`: what ADD_ALIGNED
/// makes of a member, and what REM takes for one that is gone. It is counted from the payload's
/// start, in a stream of objects from the object's own. Aligned are the elements of what has a
/// count, else the value's first byte.
template <std::size_t alignment, class T>
struct Aligned {
  using Type = T;
  T value{};
  bool operator==(const Aligned&) const = default;
};

template <class T>
std::string TypeName();
template <class T>
struct NameOf;
template <std::size_t alignment, class T>
struct NameOf<Aligned<alignment, T>> {
  static std::string Name() {
    return "aligned<" + std::to_string(alignment) + "," + TypeName<T>() + ">";
  }
};

namespace detail {

template <class T>
consteval Kind KindOf();

template <class T>
inline constexpr std::size_t kAlignment = 0;
template <std::size_t alignment, class T>
inline constexpr std::size_t kAlignment<Aligned<alignment, T>> = alignment;
template <class T>
inline constexpr bool kIsAligned = kAlignment<T> != 0;

inline constexpr char kNotZeros[] = "the bytes before an aligned field are not zero";

/// Bytes between the padding and what is aligned: the count. The alignment is a power of two, so
/// that every machine can keep it, and no larger than that of a file's header.
template <std::size_t alignment, class T>
consteval std::size_t BeforeAligned() {
  static_assert(alignment == 2 || alignment == 4 || alignment == 8 || alignment == 16,
                "revctl: ADD_ALIGNED: an alignment is 2, 4, 8 or 16");
  constexpr Kind kind = KindOf<T>();
  static_assert(
      kind < Kind::Optional || kind == Kind::Bitset || kind == Kind::Tuple,
      "revctl: ADD_ALIGNED is for what has its bytes in one place: views, vectors, texts, "
      "arrays, numbers, records");
  return kind == Kind::Sequence || kind == Kind::String ? 4 : 0;
}

/// How many zeros stand at `offset`, so that what comes `before` bytes behind them is aligned.
constexpr std::size_t PaddingAt(std::size_t offset, std::size_t alignment, std::size_t before) {
  return (alignment - (offset + before) % alignment) % alignment;
}

/// A member of ADD_ALIGNED, with a binary archive.
template <std::size_t alignment, class R, class T>
constexpr void ValueAligned(R& r, T& value) {
  r.Align(alignment, BeforeAligned<alignment, T>());
  r.Value(value);
  if constexpr (R::IsReading() && requires { value.OwnUnlessAligned(alignment); })
    value.OwnUnlessAligned(alignment);
}

}  // namespace detail
}  // namespace revctl
