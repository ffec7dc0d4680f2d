#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include <revctl/plain/layout.h>
#include <revctl/plain/number.h>
#include <revctl/plain/trouble.h>

// Bytes of a record at any revision: looking at every leaf, field by field.
namespace revctl::detail {

/// Says why leaf `index` of `field` is no value. `leaf` points at it.
inline void PlainRefuseLeaf(const PlainField& field, std::size_t index, const std::byte* leaf,
                            std::size_t offset, PlainTrouble& trouble) {
  const PlainNumberValue value = PlainReadNumber(field.shape.underlying, leaf);
  const std::string text = value.kind == PlainNumberValue::Class::Signed ? std::to_string(value.i)
                                                                         : std::to_string(value.u);
  trouble.Fail(Status::Kind::Corrupt, offset,
               field.shape.kind == Kind::Bool ? "a bool of " + text : text + " has no enumerator");
  trouble.Within(field.name + PlainIndexText(field.shape, index));
}

/// Every bool is 0 or 1 and every enum one of its values. `offset` is where `image` begins, for
/// messages.
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

/// Turns the byte order of every leaf around. Files are little-endian: a big-endian host does this
/// after reading and before writing. Padding is left alone.
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
