#include "revctl/base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "revctl/base/shell_word.h"

namespace revctl::base {

namespace fs = std::filesystem;

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void FillStandardDescriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    // open() returns the lowest free descriptor, which is `number` here.
    (void)!::open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

std::string SystemMend(int error, const std::string& path) {
  // If the folder does not exist either, use its nearest existing parent in the command.
  fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  while (!folder.empty() && folder != folder.root_path() && !fs::is_directory(folder, ignored))
    folder = folder.parent_path();
  const std::string there = ShellPath(folder.empty() ? "." : folder.string());
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return fmt::format("df -h {0} && df -i {0}   # free space or inodes there, then try again",
                         there);
    case EFBIG:
      return "ulimit -f unlimited   # the shell limits the size of files; then try again";
    case EMFILE:
    case ENFILE:
      return "ulimit -n 1024   # the shell limits the number of open files; then try again";
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("ls -la {}   # check the permissions", there);
    default:
      return "";
  }
}

Error SystemError(const std::string& path, std::string_view cannot) {
  const int error = errno;
  return {Exit::Environment, fmt::format("{}: {}", cannot, std::strerror(error)),
          SystemMend(error, path), path};
}

Error InMessage(Error error) {
  if (!error.file.empty()) error.message = error.file + ": " + error.message;
  error.file.clear();
  return error;
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

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  // O_NONBLOCK, so that opening a pipe does not wait for a process at its other end.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::string>();
    return SystemError(path, "cannot be opened");
  }
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return SystemError(path, "cannot be read");
  if (!S_ISREG(about.st_mode)) return FileError(path, 0, "is not a regular file");
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size > limit)
    return FileError(path, 0,
                     fmt::format("has {} bytes, but at most {} are supported", size, limit));
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(file.get(), bytes.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(path, "cannot be read");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return std::optional<std::string>(std::move(bytes));
}

Result<Done> MoveFile(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return SystemError(from, "cannot be moved");
  return Done{};
}

Result<Done> RemoveFile(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return SystemError(path, "cannot be removed");
  return Done{};
}

Result<Done> MakePrivateFolder(const std::string& folder) {
  const auto fail = [&](std::string why) {
    return FileError(folder, 0, std::move(why), "remove it, or set TMPDIR to your own folder");
  };
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(std::string("cannot be created: ") + std::strerror(errno));
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0)
    return fail(std::string("cannot be examined: ") + std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return fail("is not a folder");
  if (status.st_uid != ::geteuid()) return fail("belongs to another user");
  if ((status.st_mode & 077) != 0) return fail("is accessible to other users");
  return Done{};
}

unsigned long UserNumber() { return ::geteuid(); }

bool IsExecutable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

Result<std::vector<FolderEntry>> ListEntries(const std::string& folder) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  const fs::directory_iterator inside(folder, error);
  if (error == std::errc::no_such_file_or_directory) return entries;
  if (error) {
    return FileError(
        folder, 0, "cannot be listed: " + error.message(),
        fmt::format("ls -ld {}   # must be a folder that you can read", ShellPath(folder)));
  }
  for (const auto& entry : inside) {
    std::string other;
    switch (entry.symlink_status(error).type()) {
      case fs::file_type::regular:
        break;
      case fs::file_type::directory:
        other = "a folder";
        break;
      case fs::file_type::symlink:
        other = "a symbolic link";
        break;
      default:
        other = "a pipe or a device";
    }
    entries.push_back({entry.path().filename().string(), std::move(other)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

Result<std::vector<std::string>> ListFiles(const std::string& folder) {
  TRY(const auto entries, ListEntries(folder));
  std::vector<std::string> names;
  for (const FolderEntry& entry : entries) {
    if (entry.other.empty()) names.push_back(entry.name);
  }
  return names;
}

std::string ResolvedPath(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? std::string() : resolved.string();
}

std::string FolderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace revctl::base
