#pragma once
// Hides leaks of libgit2 1.5 (Debian 12 has 1.5.1) from leak sanitizers, so that they report only
// revctl's own leaks. Suppressions would be too slow, because every process with a leak would start
// a symbolizer.
#if defined(__SANITIZE_ADDRESS__)
#define REVCTL_LEAKS_ARE_COUNTED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REVCTL_LEAKS_ARE_COUNTED
#endif
#endif
#ifdef REVCTL_LEAKS_ARE_COUNTED
#include <sanitizer/lsan_interface.h>
#endif

namespace revctl::git {

/// Makes the leak sanitizer ignore memory that is allocated while this object exists.
class UncountedLeaks {
 public:
  UncountedLeaks() noexcept {
#ifdef REVCTL_LEAKS_ARE_COUNTED
    __lsan_disable();
#endif
  }
  ~UncountedLeaks() {
#ifdef REVCTL_LEAKS_ARE_COUNTED
    __lsan_enable();
#endif
  }
  UncountedLeaks(const UncountedLeaks&) = delete;
  UncountedLeaks& operator=(const UncountedLeaks&) = delete;
};

}  // namespace revctl::git
