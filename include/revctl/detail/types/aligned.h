#pragma once
#include <cstddef>
#include <string>

#include <revctl/detail/types/type_info.h>

// Fields that are aligned in the file, so that views can refer to them (view.h).

namespace revctl {

/// A value that is preceded by zeros on the wire, so that it begins at a multiple of `alignment`.
/// ADD_ALIGNED wraps a member in it, and REM accepts it as the type of a removed member. Offsets
/// count from the start of the payload, or of the object in a stream of objects. In a container the
/// elements are aligned, not the count.
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

/// Returns the number of bytes between the padding and the aligned data: the size of the count, if
/// there is one. The alignment must be a power of two, so that it works on every machine, and at
/// most the size of the file header.
template <std::size_t alignment, class T>
consteval std::size_t BeforeAligned() {
  static_assert(alignment == 2 || alignment == 4 || alignment == 8 || alignment == 16,
                "revctl: ADD_ALIGNED: an alignment must be 2, 4, 8 or 16");
  constexpr Kind kind = KindOf<T>();
  static_assert(
      kind < Kind::Optional || kind == Kind::Bitset || kind == Kind::Tuple,
      "revctl: ADD_ALIGNED takes only types whose bytes are contiguous: views, vectors, strings, "
      "arrays, numbers, records");
  return kind == Kind::Sequence || kind == Kind::String ? 4 : 0;
}

/// Returns the number of zeros to insert at `offset` so that the data `before` bytes after the
/// zeros is aligned.
constexpr std::size_t PaddingAt(std::size_t offset, std::size_t alignment, std::size_t before) {
  return (alignment - (offset + before) % alignment) % alignment;
}

/// Visits an ADD_ALIGNED member with a binary archive. `name` identifies the member in error paths.
template <std::size_t alignment, class R, class T>
constexpr void ValueAligned(R& r, T& value, const char* name = "") {
  r.Align(alignment, BeforeAligned<alignment, T>());
  r.Field(value, name);
  if constexpr (R::IsReading() && requires { value.OwnUnlessAligned(alignment); })
    value.OwnUnlessAligned(alignment);
}

}  // namespace detail
}  // namespace revctl
