#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include <revctl/plain/convert.h>
#include <revctl/plain/layout.h>
#include <revctl/plain/trouble.h>

// Checks or byte-swaps every leaf in the bytes of a record, which may have the layout of any
// revision.
namespace revctl::detail {

/// Records an error for the invalid leaf with number `index` in `field`. `leaf` points to its
/// bytes.
inline void PlainRefuseLeaf(const PlainField& field, std::size_t index, const std::byte* leaf,
                            std::size_t offset, PlainTrouble& trouble) {
  const std::string text = PlainNumberText(PlainReadNumber(field.shape.underlying, leaf));
  trouble.Fail(Status::Kind::Corrupt, offset,
               field.shape.kind == Kind::Bool ? "a bool must be 0 or 1, not " + text
                                              : text + " has no enumerator");
  trouble.Within(field.name + PlainIndexText(field.shape, index));
}

/// Checks that every bool is 0 or 1 and every enum is valid. `offset` is the position of `image` in
/// the file, for messages.
inline bool CheckPlainImage(const PlainLayout& layout, const std::byte* image, std::size_t offset,
                            PlainTrouble& trouble) {
  if (!layout.checked) return true;
  for (const PlainPlace& place : layout.places) {
    if (!place.checked) continue;
    const PlainField& field = layout.FieldOf(place);
    const std::byte* leaves = image + place.offset;
    if (place.nested == nullptr) {
      const std::size_t bad = field.shape.first_bad(leaves, field.shape.count);
      if (bad == field.shape.count) continue;
      const std::size_t at = bad * place.stride;
      PlainRefuseLeaf(field, bad, leaves + at, offset + place.offset + at, trouble);
      return false;
    }
    for (std::size_t i = 0; i < field.shape.count; ++i) {
      const std::size_t at = i * place.stride;
      if (!CheckPlainImage(*place.nested, leaves + at, offset + place.offset + at, trouble)) {
        return trouble.Within(field.name + PlainIndexText(field.shape, i));
      }
    }
  }
  return true;
}

/// Reverses the byte order of every leaf and leaves padding unchanged. Files are little-endian, so
/// big-endian hosts call this after reading and before writing.
inline void SwapPlainImage(const PlainLayout& layout, std::byte* image) {
  for (const PlainPlace& place : layout.places) {
    const std::size_t count = layout.FieldOf(place).shape.count;
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* leaf = image + place.offset + i * place.stride;
      if (place.nested != nullptr) {
        SwapPlainImage(*place.nested, leaf);
      } else {
        std::reverse(leaf, leaf + place.stride);
      }
    }
  }
}

}  // namespace revctl::detail

// The same operations for the current revision, for which the compiler knows every offset and can
// unroll the loops.
namespace revctl::detail {

template <class F>
constexpr bool PlainFieldChecked();
template <PlainType T, int... I>
constexpr bool PlainRecordChecked(std::integer_sequence<int, I...>) {
  return ((PlainMemberAt<T, I>::lives && PlainFieldChecked<typename PlainMemberAt<T, I>::Type>()) ||
          ...);
}
/// True if the field contains a bool or an enum.
template <class F>
constexpr bool PlainFieldChecked() {
  using Leaf = PlainLeaf<F>;
  if constexpr (PlainType<Leaf>) {
    return PlainRecordChecked<Leaf>(std::make_integer_sequence<int, plain_members<Leaf>>{});
  } else {
    return PlainShapeOf<Leaf>().Checked();
  }
}

template <PlainType T>
bool CheckPlainToday(const std::byte* image, std::size_t offset, PlainTrouble& trouble);

template <PlainType T, int I>
bool CheckPlainMember(const std::byte* image, std::size_t offset, PlainTrouble& trouble) {
  using M = PlainMemberAt<T, I>;
  if constexpr (!M::lives) {
    return true;
  } else if constexpr (!PlainFieldChecked<typename M::Type>()) {
    return true;
  } else {
    using Leaf = PlainLeaf<typename M::Type>;
    constexpr std::size_t start = PlainOffset<T, I>(), count = plain_leaves<typename M::Type>;
    const PlainField& field = plain_table<T>.fields[I];
    if constexpr (PlainType<Leaf>) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = start + i * sizeof(Leaf);
        if (!CheckPlainToday<Leaf>(image + at, offset + at, trouble)) {
          return trouble.Within(field.name + PlainIndexText(field.shape, i));
        }
      }
    } else {
      constexpr auto first_bad = PlainShapeOf<Leaf>().first_bad;
      const std::size_t bad = first_bad(image + start, count);
      if (bad != count) {
        const std::size_t at = start + bad * sizeof(Leaf);
        PlainRefuseLeaf(field, bad, image + at, offset + at, trouble);
        return false;
      }
    }
    return true;
  }
}

template <PlainType T>
bool CheckPlainToday(const std::byte* image, std::size_t offset, PlainTrouble& trouble) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return (CheckPlainMember<T, I>(image, offset, trouble) && ...);
  }
  (std::make_integer_sequence<int, plain_members<T>>{});
}

/// Returns the size of `T` without padding.
template <PlainType T>
constexpr std::size_t PlainValueBytes();
template <class F>
constexpr std::size_t PlainFieldBytes() {
  using Leaf = PlainLeaf<F>;
  if constexpr (PlainType<Leaf>) {
    return plain_leaves<F> * PlainValueBytes<Leaf>();
  } else {
    return plain_leaves<F> * sizeof(Leaf);
  }
}
template <PlainType T>
constexpr std::size_t PlainValueBytes() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return (
        (PlainMemberAt<T, I>::lives ? PlainFieldBytes<typename PlainMemberAt<T, I>::Type>() : 0) +
        ... + 0);
  }
  (std::make_integer_sequence<int, plain_members<T>>{});
}

/// Zeroes all padding in the image of a `T`, so that equal values have equal bytes and no
/// uninitialized memory is saved.
template <PlainType T>
void ZeroPlainPadding(std::byte* image) {
  if constexpr (PlainValueBytes<T>() != sizeof(T)) {
    std::size_t end = 0;
    const auto member = [&]<int I>(PlainIndex<I>) {
      using M = PlainMemberAt<T, I>;
      if constexpr (M::lives) {
        using Leaf = PlainLeaf<typename M::Type>;
        constexpr std::size_t start = PlainOffset<T, I>(), count = plain_leaves<typename M::Type>;
        std::memset(image + end, 0, start - end);
        if constexpr (PlainType<Leaf>) {
          for (std::size_t i = 0; i < count; ++i)
            ZeroPlainPadding<Leaf>(image + start + i * sizeof(Leaf));
        }
        end = start + count * sizeof(Leaf);
      }
    };
    [&]<int... I>(std::integer_sequence<int, I...>) { (member(PlainIndex<I>{}), ...); }
    (std::make_integer_sequence<int, plain_members<T>>{});
    std::memset(image + end, 0, sizeof(T) - end);
  }
}

}  // namespace revctl::detail
