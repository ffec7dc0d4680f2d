#pragma once
// Leaks of libgit2 1.5 (Debian 12 has 1.5.1), hidden from leak sanitizers so that they still find
// ours. Suppressions are too slow, because each process that leaks starts a symbolizer.
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

/// The leak sanitizer ignores what is allocated during the lifetime of this object.
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
