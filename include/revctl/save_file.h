#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/binary/save_load.h>

// Files on disk. POSIX.

namespace revctl {
namespace detail {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { Reset(-1); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }
  void Reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  bool Close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

inline Status IoError(const char* doing, const std::string& path, int error) {
  return {Status::Kind::Io, std::string(doing) + " " + path + ": " + std::strerror(error)};
}

/// The system would take such a path for the shorter one before the zero, which is another file.
inline Status CheckPath(const char* doing, const std::string& path) {
  if (path.find('\0') == path.npos) return {};
  return {Status::Kind::Io,
          std::string(doing) + " " + path.c_str() + ": the path goes on behind a byte of zero"};
}

inline bool WriteAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

inline std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace detail

namespace detail {

/// The file that a path leads to through symbolic links, which stay; also where the last one leads
/// to nothing yet. False, with errno, where they lead in a circle.
inline bool FollowLinks(std::string& path) {
  for (int hops = 0; hops < 40; ++hops) {
    char target[4096];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size < 0) return true;  // no link, or none at all: opening it will say
    if (size == static_cast<ssize_t>(sizeof target)) {
      errno = ENAMETOOLONG;
      return false;
    }
    const std::string next(target, static_cast<std::size_t>(size));
    path = next.substr(0, 1) == "/" ? next : FolderOf(path) + "/" + next;
  }
  errno = ELOOP;
  return false;
}

/// A name beside `path` that hardly any other process has; like it, unless that is about as long as
/// a name may be.
inline std::string NameBeside(const std::string& path) {
  static std::atomic<unsigned> serial{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::size_t slash = path.find_last_of('/'), begin = slash == path.npos ? 0 : slash + 1;
  std::size_t end = (std::min)(path.size(), begin + 200);
  while (end > begin && end < path.size() && (static_cast<unsigned char>(path[end]) & 0xC0) == 0x80)
    --end;  // no half letter
  return path.substr(0, end) + "." + std::to_string(::getpid()) + "-" + std::to_string(serial++) +
         "-" + std::to_string(now % 1000000);
}
inline constexpr int kMostNames = 100;

/// A new file beside `path`, whose name no other process has. Of `mode` it has what the system
/// leaves to new files here.
inline int CreateBeside(const std::string& path, mode_t mode, std::string& temporary) {
  for (int tries = 0; tries < kMostNames; ++tries) {
    temporary = NameBeside(path);
    const int fd =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// A new file in the folder of `path` that has no name yet: who is killed while writing leaves
/// nothing behind. Below zero where the system knows no such files.
inline int CreateUnnamed([[maybe_unused]] const std::string& path, [[maybe_unused]] mode_t mode) {
#ifdef O_TMPFILE
  return ::open(FolderOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#else
  return -1;
#endif
}
/// Gives it one.
inline bool NameUnnamed(int fd, const std::string& path, std::string& temporary) {
  const std::string open_file = "/proc/self/fd/" + std::to_string(fd);
  for (int tries = 0; tries < kMostNames; ++tries) {
    temporary = NameBeside(path);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return true;
    if (errno != EEXIST) break;
  }
  temporary.clear();
  return false;
}

/// What a file that is replaced was before.
struct Replaced {
  bool exists = false;
  mode_t mode = 0;
};

/// The bytes on the disk under a name of their own, which is in `temporary` as long as there is
/// such a file. False with errno.
inline bool WriteBeside(const std::string& path, std::span<const std::byte> bytes,
                        const Replaced& before, bool unnamed, std::string& temporary) {
  const mode_t mode = before.exists ? 0600 : 0666;
  FileDescriptor file(unnamed ? CreateUnnamed(path, mode) : CreateBeside(path, mode, temporary));
  if (file.get() < 0) {
    temporary.clear();
    return false;
  }
  return WriteAll(file.get(), bytes) &&
         (!before.exists || ::fchmod(file.get(), before.mode & 07777) == 0) &&
         ::fsync(file.get()) == 0 && (!unnamed || NameUnnamed(file.get(), path, temporary)) &&
         file.Close();
}

}  // namespace detail

/// Replaces the file at `path`: written beside it, synced, renamed. Killed anywhere, the old file
/// or the new one is there, whole; beside it stays nothing, where the system has files without a
/// name (Linux, on its usual file systems), else a file `PATH.PID-...`. Keeps the permissions of a
/// file that is replaced; a new one has those that the umask leaves. A symbolic link stays, and the
/// file that it leads to is replaced. What is no file (a folder, a pipe, a device) is refused.
inline Status ReplaceFile(const std::string& path, std::span<const std::byte> bytes) {
  if (Status status = detail::CheckPath("writing", path); !status) return status;
  std::string real = path, temporary;
  if (!detail::FollowLinks(real)) return detail::IoError("writing", path, errno);
  struct stat info;
  const bool exists = ::stat(real.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return detail::IoError("writing", path, EISDIR);
  if (exists && !S_ISREG(info.st_mode))
    return {Status::Kind::Io, "writing " + path + ": not a regular file"};
  const detail::Replaced before{exists, exists ? info.st_mode : mode_t{0}};
  bool written = detail::WriteBeside(real, bytes, before, /*unnamed=*/true, temporary);
  // A full disk is as full for a file with a name; anything else may be the lack of such files, or
  // of /proc.
  if (!written && temporary.empty() && errno != ENOSPC && errno != EFBIG && errno != EDQUOT &&
      errno != EIO) {
    written = detail::WriteBeside(real, bytes, before, /*unnamed=*/false, temporary);
  }
  if (!written || ::rename(temporary.c_str(), real.c_str()) != 0) {
    const int error = errno;
    if (!temporary.empty()) ::unlink(temporary.c_str());
    return detail::IoError("writing", path, error);
  }
  // The rename itself lasts once the folder is synced; where a file system refuses that, the file
  // is whole all the same.
  detail::FileDescriptor folder(
      ::open(detail::FolderOf(real).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(::fsync(folder.get()));
  return {};
}

/// A file's bytes in memory that was not filled with zeros first. To map the file instead:
/// map_file.h.
class FileBytes {
 public:
  std::span<const std::byte> Bytes() const { return {memory_.data(), size_}; }

 private:
  friend Status ReadFile(const std::string& path, FileBytes& bytes, const std::uint32_t* magic);
  detail::RawBuffer memory_;
  std::size_t size_ = 0;
};

namespace detail {

/// No file as large as the machine's memory can be held in it: better said than tried.
inline bool FitsMemory(std::uint64_t size) {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 ||
         size < static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace detail

namespace detail {

/// Opens a file to read it, or says why not. A missing one is an Io status whose message says so,
/// and so is what is no file: a pipe may never end.
inline Status OpenFile(const std::string& path, FileDescriptor& file, std::uint64_t& size) {
  if (Status status = CheckPath("opening", path); !status) return status;
  // Not to wait for the other end of a pipe.
  file.Reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return IoError("opening", path, errno);
  struct stat info;
  if (::fstat(file.get(), &info) != 0) return IoError("reading", path, errno);
  if (S_ISDIR(info.st_mode)) return IoError("reading", path, EISDIR);
  if (!S_ISREG(info.st_mode)) return {Status::Kind::Io, "reading " + path + ": not a regular file"};
  size = info.st_size > 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
  return {};
}

/// As much as is read of a file that is none of ours: enough for the header of one or several
/// parts, whose size is told first.
inline constexpr std::size_t kForeignHead = 4096;

/// The file surely does not begin with `magic`. Where its first bytes cannot be had in one go,
/// reading it will say.
inline bool BeginsOtherwise(int file, std::uint32_t magic) {
  std::byte first[4];
  std::uint32_t actual = 0;
  if (::pread(file, first, sizeof first, 0) != static_cast<ssize_t>(sizeof first)) return false;
  CopyValue<std::uint32_t>(&actual, first);
  return actual != magic;
}

}  // namespace detail

/// The whole file. An Io status where there is none, or it does not fit into memory. Where `magic`
/// is given, a file that begins with other bytes is not read to its end, which may be far away: its
/// first bytes are all of it.
inline Status ReadFile(const std::string& path, FileBytes& bytes,
                       const std::uint32_t* magic = nullptr) {
  detail::FileDescriptor file(-1);
  std::uint64_t size = 0;
  if (Status status = detail::OpenFile(path, file, size); !status) return status;
  bytes.size_ = 0;
  const bool head_only = magic != nullptr && detail::BeginsOtherwise(file.get(), *magic);
  if (head_only && size > detail::kForeignHead) size = detail::kForeignHead;
  // One byte more than the file has: so the end shows without another round, and growth meanwhile
  // too.
  if (!detail::FitsMemory(size) ||
      !bytes.memory_.TryReserve(size > 0 ? static_cast<std::size_t>(size) + 1 : 4096)) {
    return {Status::Kind::Io,
            "reading " + path + ": " + std::to_string(size) + " bytes do not fit into memory"};
  }
  for (;;) {
    if (bytes.size_ == bytes.memory_.capacity() &&
        !bytes.memory_.TryReserve(bytes.size_ + bytes.size_ / 2)) {
      return detail::IoError("reading", path, ENOMEM);
    }
    const ssize_t n = ::read(file.get(), bytes.memory_.data() + bytes.size_,
                             bytes.memory_.capacity() - bytes.size_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return detail::IoError("reading", path, errno);
    bytes.size_ += static_cast<std::size_t>(n);
    if (n == 0 || (head_only && bytes.size_ >= detail::kForeignHead)) return {};
  }
}

/// The same, into a vector.
inline Status ReadFile(const std::string& path, std::vector<std::byte>& bytes) {
  FileBytes file;
  Status status = ReadFile(path, file);
  if (status) bytes.assign(file.Bytes().begin(), file.Bytes().end());
  return status;
}

namespace detail {

/// Replaces a file by what `make(bytes)` gives.
template <class Make>
Status IntoFile(const std::string& path, Make make) {
  std::vector<std::byte> bytes;
  const Status status = make(bytes);
  return status ? ReplaceFile(path, bytes) : Status(status.kind(), path + ": " + status.message());
}

/// Hands a file's bytes to `take(bytes, format)`, which refuses those that do not begin with the
/// format's magic. The bytes are gone afterwards, so that no view may refer to them.
template <class Take>
Status FromFile(const std::string& path, FileFormat format, Take take) {
  FileBytes bytes;
  Status status = ReadFile(path, bytes, &format.magic);
  if (!status) return status;
  format.borrow = false;
  status = take(bytes.Bytes(), format);
  return status ? status : Status(status.kind(), path + ": " + status.message());
}

}  // namespace detail

/// Save() into a file, replacing it as a whole. Of several lists: SavePartsFile() (save_parts.h);
/// of objects that point at each other: SaveObjectsFile() (objects.h).
template <RevisionNumber N, class T>
Status SaveFile(const std::string& path, N revision, const T& value,
                const FileFormat& format = {}) {
  return detail::IntoFile(path, [&](auto& bytes) { return Save(revision, value, bytes, format); });
}

/// Load() from a file. On an error `value` is as before, and the message begins with the path. A
/// file that does not begin with the format's magic is refused after a look at its first bytes,
/// however large it is.
template <class Enum = TheOnlyList, class T>
Status LoadFile(const std::string& path, T& value, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return Load<Enum>(bytes, value, owning);
  });
}

/// For programs without a generated table: `latest` is the newest revision that this program knows.
template <class T, RevisionNumber N>
Status LoadFile(const std::string& path, T& value, N latest) {
  return detail::FromFile(
      path, {}, [&](auto bytes, const FileFormat&) { return Load(bytes, value, latest); });
}

}  // namespace revctl
