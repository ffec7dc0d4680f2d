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

/// Rejects paths with a zero byte: the system would stop there and open another file.
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

/// Replaces `path` by the file that its symbolic links lead to, even if that does not exist yet.
/// Returns false, with errno, if there are too many links or a target is too long.
inline bool FollowLinks(std::string& path) {
  for (int hops = 0; hops < 40; ++hops) {
    char target[4096];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size < 0) return true;  // not a link, or nothing there; opening it will report an error
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

/// Returns a name in the same folder that is almost certainly unused. It begins with the name of
/// `path`, truncated if that is long.
inline std::string NameBeside(const std::string& path) {
  static std::atomic<unsigned> serial{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::size_t slash = path.find_last_of('/'), begin = slash == path.npos ? 0 : slash + 1;
  std::size_t end = (std::min)(path.size(), begin + 200);
  while (end > begin && end < path.size() && (static_cast<unsigned char>(path[end]) & 0xC0) == 0x80)
    --end;  // do not cut a UTF-8 sequence
  return path.substr(0, end) + "." + std::to_string(::getpid()) + "-" + std::to_string(serial++) +
         "-" + std::to_string(now % 1000000);
}
inline constexpr int kMostNames = 100;

/// Creates a file with an unused name next to `path`, with `mode` reduced by the umask. Returns its
/// descriptor, or -1.
inline int CreateBeside(const std::string& path, mode_t mode, std::string& temporary) {
  for (int tries = 0; tries < kMostNames; ++tries) {
    temporary = NameBeside(path);
    const int fd =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// Creates a file without a name in the folder of `path`, which disappears if the process is
/// killed. Returns its descriptor, or -1 if the file system does not support such files.
inline int CreateUnnamed([[maybe_unused]] const std::string& path, [[maybe_unused]] mode_t mode) {
#ifdef O_TMPFILE
  return ::open(FolderOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#else
  return -1;
#endif
}
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

/// State of the file before it is replaced.
struct Replaced {
  bool exists = false;
  mode_t mode = 0;
};

/// Writes and syncs a file next to `path`. `temporary` is its name, or empty if there is no such
/// file. Returns false with errno on failure.
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

/// Replaces the file at `path` atomically: writes a new file next to it, syncs and renames it. If
/// the process is killed at any time, the old or the new file is there in full. A killed process
/// leaves no temporary file if the file system supports unnamed files (the usual ones on Linux do),
/// and otherwise a file `PATH.PID-...`.
///
/// An existing file keeps its permissions; a new one gets the default reduced by the umask. If
/// `path` is a symbolic link, the link stays and its target is replaced. Fails with Io on system
/// errors and for anything but a regular file (folder, pipe, device).
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
  // Retry with a named file: the file system may lack unnamed files, or /proc may be missing. A
  // full or broken disk would only fail again.
  if (!written && temporary.empty() && errno != ENOSPC && errno != EFBIG && errno != EDQUOT &&
      errno != EIO) {
    written = detail::WriteBeside(real, bytes, before, /*unnamed=*/false, temporary);
  }
  if (!written || ::rename(temporary.c_str(), real.c_str()) != 0) {
    const int error = errno;
    if (!temporary.empty()) ::unlink(temporary.c_str());
    return detail::IoError("writing", path, error);
  }
  // Syncing the folder makes the rename durable. If a file system cannot do that, the file is still
  // intact.
  detail::FileDescriptor folder(
      ::open(detail::FolderOf(real).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(::fsync(folder.get()));
  return {};
}

/// Contents of a file, in memory that is not zeroed first. To map the file instead, see map_file.h.
class FileBytes {
 public:
  std::span<const std::byte> Bytes() const { return {memory_.data(), size_}; }

 private:
  friend Status ReadFile(const std::string& path, FileBytes& bytes, const std::uint32_t* magic);
  detail::RawBuffer memory_;
  std::size_t size_ = 0;
};

namespace detail {

/// False if the size is at least that of the machine's memory, so that reading need not be tried.
inline bool FitsMemory(std::uint64_t size) {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 ||
         size < static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace detail

namespace detail {

/// Opens a regular file for reading and sets `size`. Returns an Io status if the file is missing or
/// not a regular file; a pipe, for example, may never end.
inline Status OpenFile(const std::string& path, FileDescriptor& file, std::uint64_t& size) {
  if (Status status = CheckPath("opening", path); !status) return status;
  // O_NONBLOCK avoids waiting for the other end of a pipe.
  file.Reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return IoError("opening", path, errno);
  struct stat info;
  if (::fstat(file.get(), &info) != 0) return IoError("reading", path, errno);
  if (S_ISDIR(info.st_mode)) return IoError("reading", path, EISDIR);
  if (!S_ISREG(info.st_mode)) return {Status::Kind::Io, "reading " + path + ": not a regular file"};
  size = info.st_size > 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
  return {};
}

/// Number of bytes to read from a file without our magic. Enough for the header of a file with
/// several parts.
inline constexpr std::size_t kForeignHead = 4096;

/// True if the file certainly does not begin with `magic`. If its first bytes cannot be read at
/// once, returns false, and reading the file will report the problem.
inline bool BeginsOtherwise(int file, std::uint32_t magic) {
  std::byte first[4];
  std::uint32_t actual = 0;
  if (::pread(file, first, sizeof first, 0) != static_cast<ssize_t>(sizeof first)) return false;
  CopyValue<std::uint32_t>(&actual, first);
  return actual != magic;
}

}  // namespace detail

/// Reads the whole file. Returns an Io status if it is missing or does not fit into memory. If
/// `magic` is given and the file begins with other bytes, reads only its beginning, since the
/// caller will reject it.
inline Status ReadFile(const std::string& path, FileBytes& bytes,
                       const std::uint32_t* magic = nullptr) {
  detail::FileDescriptor file(-1);
  std::uint64_t size = 0;
  if (Status status = detail::OpenFile(path, file, size); !status) return status;
  bytes.size_ = 0;
  const bool head_only = magic != nullptr && detail::BeginsOtherwise(file.get(), *magic);
  if (head_only && size > detail::kForeignHead) size = detail::kForeignHead;
  // One spare byte, so that the end is found without growing, and a file that grows meanwhile is
  // noticed.
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

/// Reads the whole file into a vector, which changes only on success.
inline Status ReadFile(const std::string& path, std::vector<std::byte>& bytes) {
  FileBytes file;
  Status status = ReadFile(path, file);
  if (status) bytes.assign(file.Bytes().begin(), file.Bytes().end());
  return status;
}

namespace detail {

/// Replaces a file with the bytes that `make(bytes)` produces.
template <class Make>
Status IntoFile(const std::string& path, Make make) {
  std::vector<std::byte> bytes;
  const Status status = make(bytes);
  return status ? ReplaceFile(path, bytes) : Status(status.kind(), path + ": " + status.message());
}

/// Passes a file's bytes to `take(bytes, format)`, which must reject bytes without the format's
/// magic. The bytes are freed afterwards, so `format.borrow` is switched off.
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

/// Saves `value` to a file at `revision`, replacing the file atomically. See SavePartsFile()
/// (save_parts.h) for several lists, and SaveObjectsFile() (objects.h) for graphs of objects.
template <RevisionNumber N, class T>
Status SaveFile(const std::string& path, N revision, const T& value,
                const FileFormat& format = {}) {
  return detail::IntoFile(path, [&](auto& bytes) { return Save(revision, value, bytes, format); });
}

/// Loads `value` from a file. On failure `value` is unchanged, and the message begins with the
/// path. A file with another magic is rejected after reading only its beginning, however large it
/// is.
///
/// This source must include the generated table of the list; other programs pass the latest
/// revision or a table to one of the LoadFile() below.
template <class Enum = TheOnlyList, class T>
Status LoadFile(const std::string& path, T& value, const FileFormat& format = {}) {
  detail::RequireLatest<Enum>();
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return detail::LoadKnown<Enum>(bytes, value, owning);
  });
}

/// Loads a file in a program without a generated table. `latest` is the newest revision that it
/// knows.
template <class T, RevisionNumber N>
Status LoadFile(const std::string& path, T& value, N latest, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return Load(bytes, value, latest, owning);
  });
}

/// Loads a file of the list with this table, for example one that a tool has built.
template <class T, detail::AnyListTable L>
Status LoadFile(const std::string& path, T& value, const L& list, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return Load(bytes, value, list, owning);
  });
}

}  // namespace revctl
