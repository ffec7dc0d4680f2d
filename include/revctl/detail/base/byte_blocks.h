#pragma once
#include <cstddef>

namespace revctl::detail {

/// Bytes to or from a binary archive, in blocks: all that any archive needs to know is arrays of
/// bytes.
template <std::size_t Block = 65536, class R>
void VisitBytes(R& r, std::byte* at, std::size_t size) {
  for (; size >= Block && r.Ok(); size -= Block, at += Block) {
    r.Value(*reinterpret_cast<unsigned char(*)[Block]>(at));
  }
  if constexpr (Block > 1) {
    if (size > 0) VisitBytes<Block / 16>(r, at, size);
  }
}

}  // namespace revctl::detail
