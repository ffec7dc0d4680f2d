#include "revctl/config/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "revctl/config/temporary_file.h"

namespace revctl::config {
namespace {

using base::Done;
using base::Error;
using base::Exit;
using base::Result;

Error SystemError(const std::string& path, std::string_view doing) {
  const int error = errno;
  const char* fix = error == ENOSPC || error == EDQUOT ? "make room on that disk, then again"
                    : error == EFBIG
                        ? "ulimit -f unlimited   # the shell lets no file become so large"
                        : "";
  return {Exit::Environment, path + ": " + std::string(doing) + ": " + std::strerror(error), fix};
}

/// Closes on every way out; `Release` hands the result of close() to whoever must know it.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }
  int Close() {
    int result = ::close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// "process 4711", or another one where its number is not there (yet).
std::string Holder(int fd) {
  char text[16] = {};
  const ssize_t size = ::pread(fd, text, sizeof text - 1, 0);
  const std::string_view number(
      text, std::min<std::size_t>(std::string_view(text).find_first_not_of("0123456789"),
                                  size > 0 ? static_cast<std::size_t>(size) : 0));
  return number.empty() ? "another process" : "process " + std::string(number);
}

}  // namespace

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::string>();
    return SystemError(path, "cannot be opened");
  }
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return SystemError(path, "cannot be read");
  // A fifo or a device would hang or never end.
  if (!S_ISREG(about.st_mode)) return Error{Exit::Usage, path + ": is not a regular file", ""};
  if (static_cast<std::size_t>(about.st_size) > limit) {
    return Error{Exit::Usage,
                 path + ": has " + std::to_string(about.st_size) + " bytes; at most " +
                     std::to_string(limit) + " are read",
                 ""};
  }
  std::string bytes;
  bytes.resize(static_cast<std::size_t>(about.st_size));
  std::size_t have = 0;
  while (have < bytes.size()) {
    ssize_t got = ::read(file.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(path, "cannot be read");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return std::optional<std::string>(std::move(bytes));
}

Result<Done> RefuseLink(const std::string& path, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return Done{};
  return Error{Exit::Usage, name + ": is a symbolic link",
               "put the file itself there, or git checkout -- " + name};
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode) {
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  struct stat about {};
  if (::stat(real.c_str(), &about) == 0) mode = about.st_mode & 07777;

  // Twice, since what lies on one disk may still be mounted apart; and who may write beside the
  // file is said best by trying that.
  for (const auto make : {TemporaryFile::For, TemporaryFile::Beside}) {
    TRY(auto temporary, make(real));
    if (!WriteAll(temporary.fd(), bytes)) return SystemError(real, "cannot be written");
    if (::fchmod(temporary.fd(), mode) != 0) return SystemError(real, "its mode cannot be set");
    if (::fsync(temporary.fd()) != 0) return SystemError(real, "cannot be brought to disk");
    if (temporary.TakePlaceOf(real)) break;
    if (make == TemporaryFile::Beside) return SystemError(real, "cannot be replaced");
  }

  std::string folder = std::filesystem::path(real).parent_path().string();
  FileDescriptor directory(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // The file is whole either way; a folder that cannot be synced (some network disks) only delays
  // the name.
  if (directory.get() >= 0) (void)::fsync(directory.get());
  return Done{};
}

Result<Done> ProbeReplace(const std::string& path) {
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  TRY(auto temporary, TemporaryFile::Beside(real));
  // A full disk takes the name and refuses the bytes.
  if (::posix_fallocate(temporary.fd(), 0, 4096) == ENOSPC)
    return Error{Exit::Environment, real + ": no space is left there", "make room on that disk"};
  return Done{};
}

Result<FileLock> FileLock::Take(const std::string& path,
                                const std::function<void(const std::string& holder)>& waiting,
                                std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return SystemError(path, "cannot be opened");
  const auto begin = Clock::now();
  bool told = false;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return SystemError(path, "cannot be locked");
    const auto waited = Clock::now() - begin;
    if (waited >= limit) {
      const std::string holder = Holder(file.get());
      return Error{Exit::Environment, path + " is held by " + holder + ", and stays so",
                   "let it go on or end it, then again"};
    }
    if (!told && waited >= std::chrono::seconds(1)) {
      told = true;
      waiting(Holder(file.get()));
    }
    // flock() with a time limit does not exist; this is felt only where two commands meet.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string holder = std::to_string(::getpid()) + "\n";
  // Only for the words of those who wait: that it cannot be written is no reason to stop.
  if (::ftruncate(file.get(), 0) == 0) (void)!::pwrite(file.get(), holder.data(), holder.size(), 0);
  return FileLock(file.Release());
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ResolvedPath(const std::string& path) {
  std::error_code error;
  auto resolved = std::filesystem::weakly_canonical(path, error);
  return error ? std::string() : resolved.string();
}

}  // namespace revctl::config
