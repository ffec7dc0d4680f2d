#pragma once
#include <cstddef>
#include <cstring>
#include <utility>

#include <revctl/plain/old_image.h>

// Bytes of a record as it is today. The same as plain_old_image.h does for any revision, but
// unrolled by the compiler, which knows every offset: this is the path that files of the current
// revision take.
namespace revctl::detail {

template <class F>
constexpr bool PlainFieldChecked();
template <PlainType T, int... I>
constexpr bool PlainRecordChecked(std::integer_sequence<int, I...>) {
  return ((PlainMemberAt<T, I>::lives && PlainFieldChecked<typename PlainMemberAt<T, I>::Type>()) ||
          ...);
}
/// The field holds a bool or an enum somewhere.
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

/// Bytes of values in `T`, padding not counted.
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

/// Sets all padding in the image of a `T` to zero, so that equal values are equal bytes and no
/// stray memory is saved.
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
