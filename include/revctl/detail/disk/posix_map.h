#pragma once
#include <sys/mman.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include <revctl/detail/base/status.h>
#include <revctl/detail/disk/system.h>

// Memory-maps files on POSIX systems. This is a separate header because <sys/mman.h> defines macros
// whose names clash with names in games (MAP_TYPE).

namespace revctl::detail {

/// Maps the first `size` bytes of a file. `size` must not be 0. With `populate`, all pages are read
/// immediately. Returns an Io status on failure.
inline Status MapOnDisk(const std::string& path, const InputFile& file, std::size_t size,
                        [[maybe_unused]] bool populate, void*& at) {
#ifdef MAP_POPULATE
  const int flags = populate ? MAP_PRIVATE | MAP_POPULATE : MAP_PRIVATE;
#else
  constexpr int flags = MAP_PRIVATE;
#endif
  void* const mapped = ::mmap(nullptr, size, PROT_READ, flags, file.handle(), 0);
  if (mapped == MAP_FAILED) return IoError("mapping", path, errno);
  at = mapped;
  return {};
}
inline void UnmapOnDisk(void* at, std::size_t size) { ::munmap(at, size); }

}  // namespace revctl::detail
