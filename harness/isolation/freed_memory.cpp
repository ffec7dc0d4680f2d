#include "harness/isolation/freed_memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace revctl::harness {

void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kLargestBlock = 32 << 20;  // glibc's limit
  constexpr int kKept = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace revctl::harness
