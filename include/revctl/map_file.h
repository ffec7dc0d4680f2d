#pragma once
#include <sys/mman.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <revctl/save_file.h>

// A file's bytes without reading them. POSIX. Of its own, since <sys/mman.h> brings macros that
// games have names for (MAP_TYPE).

namespace revctl {

/// A file that is mapped, to read from: `Load(file.Bytes(), value)`. Quicker than LoadFile() from
/// half a megabyte on (ci/bench files), as the system gives no fresh pages.
///
/// For files that do not change in place while they are mapped: where another program shortens
/// one, a read behind its end is ended by a signal, and no check can help. To replace it, as
/// SaveFile() does, is fine: the old one stays mapped.
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

  /// Valid as long as this object.
  std::span<const std::byte> Bytes() const { return {static_cast<const std::byte*>(at_), size_}; }

 private:
  friend Status MapFile(const std::string& path, MappedFile& file);
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

/// Files up to this size are fetched by the call that maps them, in half the time of a fault for
/// each part. For larger ones it may never come back: their size is what they say, and a disk need
/// not hold as much.
inline constexpr std::uint64_t kMostFetched = std::uint64_t{256} << 20;

}  // namespace detail

/// Maps the whole file; an empty one has no bytes. On an error (none there, no file, one that the
/// system does not map) it is an Io status, and `file` is as before.
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
