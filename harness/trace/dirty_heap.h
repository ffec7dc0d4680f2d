#pragma once
#include <cstring>
#include <memory>
#include <vector>

namespace revctl::harness {

/// Leaves bytes of `garbage` in the memory that small objects are made of next, so that what
/// nothing initialises does not happen to be what it was.
inline void DirtyHeap(unsigned char garbage) {
  constexpr std::size_t kLargest = 512, kStep = 16, kOfEach = 4;
  std::vector<std::unique_ptr<unsigned char[]>> blocks;
  blocks.reserve(kLargest / kStep * kOfEach);
  for (std::size_t size = kStep; size <= kLargest; size += kStep) {
    for (std::size_t i = 0; i < kOfEach; ++i) {
      blocks.emplace_back(new unsigned char[size]);
      std::memset(blocks.back().get(), garbage, size);
      asm volatile(""
                   :
                   : "r"(blocks.back().get())
                   : "memory");  // or what is freed at once is never written
    }
  }
}

}  // namespace revctl::harness
