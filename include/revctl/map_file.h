#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <revctl/detail/disk/system_map.h>
#include <revctl/save_file.h>

// Memory-maps files instead of reading them.

namespace revctl {

/// A memory-mapped file: `Load(file.Bytes(), value)`. For files of half a megabyte or more, this is
/// faster than LoadFile() (ci/bench files), because the system does not have to allocate pages.
///
/// The file must not be modified in place while it is mapped. If another process truncates it, an
/// access past the new end raises SIGBUS, which no check can prevent. Replacing the file, as
/// SaveFile() does, is safe, because the old contents stay mapped. Windows does not allow replacing
/// a mapped file, so saving fails there until the file is unmapped.
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
    if (at_ != nullptr) detail::UnmapOnDisk(at_, size_);
  }

  /// Returns the file's contents, which are valid for the lifetime of this object.
  std::span<const std::byte> Bytes() const { return {static_cast<const std::byte*>(at_), size_}; }

 private:
  friend Status MapFile(const std::string& path, MappedFile& file);
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

/// Files up to this size are prefetched when they are mapped, which takes half as long as the page
/// faults would. Larger files are not prefetched, because a sparse file may claim a size that would
/// take forever to read.
inline constexpr std::uint64_t kMostFetched = std::uint64_t{256} << 20;

}  // namespace detail

/// Maps the whole file. An empty file yields an empty span. If the file is missing, is not a
/// regular file or cannot be mapped, returns an Io status and leaves `file` unchanged.
inline Status MapFile(const std::string& path, MappedFile& file) {
  if (Status status = detail::CheckPath("opening", path); !status) return status;
  detail::InputFile input;
  if (Status status = input.Open(path); !status) return status;
  MappedFile mapped;
  if (input.size() > SIZE_MAX)
    return {Status::Kind::Io, "mapping " + path + ": " + std::to_string(input.size()) +
                                  " bytes do not fit in memory"};
  if (input.size() > 0) {
    const std::size_t size = static_cast<std::size_t>(input.size());
    Status status = detail::MapOnDisk(path, input, size, size <= detail::kMostFetched, mapped.at_);
    if (!status) return status;
    mapped.size_ = size;
  }
  file = std::move(mapped);
  return {};
}

}  // namespace revctl
