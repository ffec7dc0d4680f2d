#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/system/files.h"
#include "revctl/base/terminal.h"

namespace revctl::base {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void PrepareProcess() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    // This opens descriptor `number`, because open() returns the lowest free descriptor.
    (void)!::open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

bool IsTerminal(Stream stream) { return ::isatty(static_cast<int>(stream)) != 0; }

std::size_t TerminalWidth(Stream stream) {
  if (!IsTerminal(stream)) return 0;
  winsize size{};
  const bool said = ::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return said ? size.ws_col : 80;
}

Descriptor OpenToRead(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

Descriptor OpenEmpty(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

Descriptor CreateHeld(const std::string& stem, std::string& path) {
  for (;;) {
    path = stem + std::string(kRandomLetters, 'X');
    Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
    if (!file.IsOpen()) return file;
    struct stat about {};
    // Another process may remove the new file as a leftover before this process has locked it. If
    // so, create another file.
    while (::flock(file.get(), LOCK_EX) != 0 && errno == EINTR) continue;
    if (::fstat(file.get(), &about) != 0 || about.st_nlink != 0) return file;
  }
}

void RemoveUnheld(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.IsOpen()) return;
  struct stat opened {
  }, named{};
  // Check that the path still refers to the locked file, because the process that created it may
  // have renamed it.
  const bool left = ::fstat(file.get(), &opened) == 0 && S_ISREG(opened.st_mode) &&
                    ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 &&
                    ::lstat(path.c_str(), &named) == 0 && named.st_ino == opened.st_ino &&
                    named.st_dev == opened.st_dev;
  if (left) ::unlink(path.c_str());
}

bool CreateFolder(const std::string& stem, std::string& path) {
  path = stem + std::string(kRandomLetters, 'X');
  return ::mkdtemp(path.data()) != nullptr;
}

std::optional<std::uint64_t> RegularSize(int file) {
  struct stat about {};
  errno = 0;
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(about.st_size);
}

std::optional<std::size_t> ReadInto(int file, std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const ssize_t got = ::read(file, buffer.data() + have, buffer.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool SyncFile(int file) { return ::fsync(file) == 0; }

bool SyncFolder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.IsOpen() && ::fsync(folder.get()) == 0;
}

bool HasRoom(int file, std::size_t size) {
  // Any other error means that the file system cannot reserve space, not that the disk is full.
  if (::posix_fallocate(file, 0, static_cast<off_t>(size)) != ENOSPC) return true;
  errno = ENOSPC;
  return false;
}

bool MoveOver(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool MoveHeldOver(Descriptor&, const std::string& from, const std::string& to) {
  return MoveOver(from, to);
}

bool Remove(const std::string& path) { return ::unlink(path.c_str()) == 0; }

bool OnOneDisk(const std::string& folder, const std::string& other) {
  struct stat first {
  }, second{};
  return ::stat(folder.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev;
}

bool CopyMode(int file, const std::string& path, unsigned mode) {
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0) mode = about.st_mode & 07777;
  return ::fchmod(file, mode) == 0;
}

FileStream FileStreamAt(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
    return FileStream::None;
  return S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode) ? FileStream::Writable
                                                           : FileStream::Other;
}

Descriptor OpenStream(const std::string& path) {
  Descriptor stream(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (stream.IsOpen() && ::fcntl(stream.get(), F_SETFL, 0) != 0) return Descriptor();
  return stream;
}

Descriptor OpenLock(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
}

Descriptor OpenFolderLock(const std::string& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

bool TryLock(int file) {
  int result = 0;
  while ((result = ::flock(file, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) continue;
  return result == 0;
}

bool Lock(int file) {
  int result = 0;
  while ((result = ::flock(file, LOCK_EX)) != 0 && errno == EINTR) continue;
  return result == 0;
}

bool ReplaceContent(int file, std::string_view bytes) {
  return ::ftruncate(file, 0) == 0 && ::lseek(file, 0, SEEK_SET) == 0 && WriteAll(file, bytes);
}

namespace {

PathKind KindOfType(std::filesystem::file_type type) {
  switch (type) {
    case std::filesystem::file_type::none:
    case std::filesystem::file_type::not_found:
      return PathKind::None;
    case std::filesystem::file_type::regular:
      return PathKind::File;
    case std::filesystem::file_type::directory:
      return PathKind::Folder;
    case std::filesystem::file_type::symlink:
      return PathKind::Link;
    default:
      return PathKind::Other;
  }
}

}  // namespace

PathKind KindAt(const std::string& path) {
  std::error_code error;
  return KindOfType(std::filesystem::symlink_status(path, error).type());
}

std::optional<std::vector<ListedEntry>> ListFolder(const std::string& folder) {
  std::vector<ListedEntry> entries;
  std::error_code error, ignored;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    entries.push_back(
        {entry->path().filename().string(), KindOfType(entry->symlink_status(ignored).type())});
  }
  if (!error) return entries;
  errno = error.default_error_condition().value();
  return std::nullopt;
}

std::string ResolvedPath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  return error ? std::string() : resolved.string();
}

unsigned long ProcessNumber() { return static_cast<unsigned long>(::getpid()); }

Result<Done> MakePrivateFolder(const std::string& folder) {
  const auto fail = [&](std::string why) {
    return FileError(folder, 0, std::move(why), "remove it, or set TMPDIR to your own folder");
  };
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fail("cannot be created: " + ErrorWords(errno));
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0)
    return fail("cannot be examined: " + ErrorWords(errno));
  if (!S_ISDIR(status.st_mode)) return fail("is not a folder");
  if (status.st_uid != ::geteuid()) return fail("belongs to another user");
  if ((status.st_mode & 077) != 0) return fail("is accessible to other users");
  return Done{};
}

unsigned long UserNumber() { return ::geteuid(); }

bool IsNullDevice(const std::string& path) { return path == "/dev/null"; }

bool IsExecutable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::string ErrorWords(int error) { return std::strerror(error); }

std::string SystemFixIn(int error, const std::string& folder) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return fmt::format("df -h {0} && df -i {0}   # free space or inodes there, then try again",
                         folder);
    case EFBIG:
      return "ulimit -f unlimited   # the shell limits the file size; then try again";
    case EMFILE:
    case ENFILE:
      return "ulimit -n 1024   # the shell limits the number of open files; then try again";
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("ls -la {}   # check the permissions", folder);
    default:
      return "";
  }
}

}  // namespace revctl::base
