#pragma once
#include <sys/mman.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <revctl/save_file.h>

// Maps files instead of reading them. POSIX. A separate header, because <sys/mman.h> defines macros
// with names that games use (MAP_TYPE).

namespace revctl {

/// A memory-mapped file: `Load(file.Bytes(), value)`. From half a megabyte on this is faster than
/// LoadFile() (ci/bench files), because the system need not allocate pages.
///
/// The file must not change in place while it is mapped: if another process shortens it, an access
/// past the new end raises SIGBUS, which no check can prevent. Replacing the file, as SaveFile()
/// does, is safe, because the old contents stay mapped.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile() {
    if (at_ != nullptr) ::munmap(at_, size_);
  }

  /// Returns the contents, valid as long as this object lives.
  std::span<const std::byte> Bytes() const { return {static_cast<const std::byte*>(at_), size_}; }

 private:
  friend Status MapFile(const std::string& path, MappedFile& file);
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

/// Files up to this size are populated when they are mapped, which takes half the time of page
/// faults. Larger files are not, because a sparse file may claim a size that would take forever to
/// read.
inline constexpr std::uint64_t kMostFetched = std::uint64_t{256} << 20;

}  // namespace detail

/// Maps the whole file; an empty file gives an empty span. On failure (missing file, not a regular
/// file, or mmap fails) returns an Io status and leaves `file` unchanged.
inline Status MapFile(const std::string& path, MappedFile& file) {
  detail::FileDescriptor descriptor(-1);
  std::uint64_t size = 0;
  if (Status status = detail::OpenFile(path, descriptor, size); !status) return status;
  MappedFile mapped;
  if (size > 0) {
    if (size > SIZE_MAX) return detail::IoError("mapping", path, EFBIG);
#ifdef MAP_POPULATE
    const int flags = size <= detail::kMostFetched ? MAP_PRIVATE | MAP_POPULATE : MAP_PRIVATE;
#else
    constexpr int flags = MAP_PRIVATE;
#endif
    void* const at =
        ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, flags, descriptor.get(), 0);
    if (at == MAP_FAILED) return detail::IoError("mapping", path, errno);
    mapped.at_ = at;
    mapped.size_ = static_cast<std::size_t>(size);
  }
  file = std::move(mapped);
  return {};
}

}  // namespace revctl
