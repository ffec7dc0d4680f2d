#pragma once
#include <cstddef>
#include <string>

#include <revctl/detail/base/status.h>
#include <revctl/detail/disk/system.h>

// Memory-maps files. This is a separate header because <sys/mman.h> defines macros whose names
// clash with names in games (MAP_TYPE).

#ifdef _WIN32

extern "C" {
__declspec(dllimport) void* __stdcall CreateFileMappingW(void*, _SECURITY_ATTRIBUTES*,
                                                         unsigned long, unsigned long,
                                                         unsigned long, const wchar_t*);
#ifdef _WIN64
__declspec(dllimport) void* __stdcall MapViewOfFile(void*, unsigned long, unsigned long,
                                                    unsigned long, unsigned long long);
#else
__declspec(dllimport) void* __stdcall MapViewOfFile(void*, unsigned long, unsigned long,
                                                    unsigned long, unsigned long);
#endif
__declspec(dllimport) int __stdcall UnmapViewOfFile(const void*);
}

namespace revctl::detail {

/// Maps the first `size` bytes of a file. `size` must not be 0. Returns an Io status on failure.
/// The `populate` argument is ignored, because Windows cannot prefault the pages of a mapping.
inline Status MapOnDisk(const std::string& path, const InputFile& file, std::size_t size, bool,
                        void*& at) {
  constexpr unsigned long kPageReadOnly = 2, kMapRead = 4;
  void* const mapping = ::CreateFileMappingW(file.handle(), nullptr, kPageReadOnly, 0, 0, nullptr);
  if (mapping == nullptr) return IoError("mapping", path, ::GetLastError());
  void* const mapped = ::MapViewOfFile(mapping, kMapRead, 0, 0, size);
  const unsigned long error = mapped == nullptr ? ::GetLastError() : 0;
  ::CloseHandle(mapping);  // the mapped view keeps the mapping alive
  if (mapped == nullptr) return IoError("mapping", path, error);
  at = mapped;
  return {};
}
inline void UnmapOnDisk(void* at, std::size_t) { ::UnmapViewOfFile(at); }

}  // namespace revctl::detail

#else

#include <sys/mman.h>
#include <cerrno>

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

#endif
