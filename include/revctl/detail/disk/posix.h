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
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <revctl/detail/base/status.h>

// File access on POSIX systems. windows.h defines the same names for Windows, and system.h includes
// the right header.

namespace revctl::detail {

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

/// Replaces `path` with the target of its symbolic links, even if the target does not exist yet.
/// Returns false and sets errno if there are too many links or a target is too long.
inline bool FollowLinks(std::string& path) {
  for (int hops = 0; hops < 40; ++hops) {
    char target[4096];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size < 0) return true;  // not a link, or missing; opening the file will report an error
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

/// Returns a name in the folder of `path` that is almost certainly unused. It begins with the file
/// name of `path`, which is truncated if long.
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

/// Creates a file without a name in the folder of `path`. The file disappears if the process is
/// killed. Returns its descriptor, or -1 if the file system does not support unnamed files.
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

/// State of a file before it is replaced.
struct Replaced {
  bool exists = false;
  mode_t mode = 0;
};

/// Writes and syncs a file next to `path`. Sets `temporary` to its name, or to "" if the file has
/// no name. On failure, returns false and sets errno.
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

/// Implements ReplaceFile() (save_file.h). `path` must not contain a zero byte.
inline Status ReplaceOnDisk(const std::string& path, std::span<const std::byte> bytes) {
  std::string real = path, temporary;
  if (!FollowLinks(real)) return IoError("writing", path, errno);
  struct stat info;
  const bool exists = ::stat(real.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return IoError("writing", path, EISDIR);
  if (exists && !S_ISREG(info.st_mode))
    return {Status::Kind::Io, "writing " + path + ": not a regular file"};
  const Replaced before{exists, exists ? info.st_mode : mode_t{0}};
  bool written = WriteBeside(real, bytes, before, /*unnamed=*/true, temporary);
  // Retry with a named file, because the file system may not support unnamed files, or /proc may be
  // missing. Do not retry if the disk is full or broken, because the retry would also fail.
  if (!written && temporary.empty() && errno != ENOSPC && errno != EFBIG && errno != EDQUOT &&
      errno != EIO) {
    written = WriteBeside(real, bytes, before, /*unnamed=*/false, temporary);
  }
  if (!written || ::rename(temporary.c_str(), real.c_str()) != 0) {
    const int error = errno;
    if (!temporary.empty()) ::unlink(temporary.c_str());
    return IoError("writing", path, error);
  }
  // Syncing the folder makes the rename durable. On file systems that do not support that, the file
  // is still intact.
  FileDescriptor folder(::open(FolderOf(real).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(::fsync(folder.get()));
  return {};
}

/// False if `size` bytes cannot possibly fit in the machine's memory, so there is no point in
/// trying to read them.
inline bool FitsMemory(std::uint64_t size) {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 ||
         size < static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

inline int LastError() { return errno; }
inline constexpr int kOutOfMemory = ENOMEM;

/// A regular file open for reading.
class InputFile {
 public:
  /// Returns an Io status if the file is missing or not a regular file (a pipe, for example, may
  /// never end). `path` must not contain a zero byte.
  Status Open(const std::string& path) {
    // O_NONBLOCK avoids waiting for the other end of a pipe.
    file_.Reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file_.get() < 0) return IoError("opening", path, errno);
    struct stat info;
    if (::fstat(file_.get(), &info) != 0) return IoError("reading", path, errno);
    if (S_ISDIR(info.st_mode)) return IoError("reading", path, EISDIR);
    if (!S_ISREG(info.st_mode))
      return {Status::Kind::Io, "reading " + path + ": not a regular file"};
    size_ = info.st_size > 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
    return {};
  }
  /// Returns the size that the file had when it was opened.
  std::uint64_t size() const { return size_; }
  int handle() const { return file_.get(); }

  /// Reads up to `to.size()` bytes. Sets `count` to the number of bytes read, which is 0 at the end
  /// of the file. On failure, returns false and sets errno.
  bool Read(std::span<std::byte> to, std::size_t& count) {
    ssize_t n = -1;
    do {
      n = ::read(file_.get(), to.data(), to.size());
    } while (n < 0 && errno == EINTR);
    count = n < 0 ? 0 : static_cast<std::size_t>(n);
    return n >= 0;
  }

 private:
  FileDescriptor file_{-1};
  std::uint64_t size_ = 0;
};

}  // namespace revctl::detail
