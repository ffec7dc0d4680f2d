#pragma once
// Leaks of libgit2 1.5 (Debian 12 has 1.5.1), for builds with a leak sanitizer, which still finds
// what is ours. No suppressions: by them each process that leaks starts a symbolizer, which took
// half of the time of sanitized storms.
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

/// What is allocated while it lives need not be freed: for a call that leaks.
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
