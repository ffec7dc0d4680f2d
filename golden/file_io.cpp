#include "golden/file_io.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "revctl/base/shell_word.h"

namespace revctl::golden {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

Error SystemError(const std::string& path, const char* what) {
  const int error = errno;
  return FileError(path, 0, std::string(what) + ": " + std::strerror(error),
                   SystemMend(error, path));
}

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool SyncFolder(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.get() >= 0 && ::fsync(opened.get()) == 0;
}

/// A killed writer leaves its temporary behind; whoever writes the same name next removes it. The
/// folder's lock is held meanwhile, so no living writer can own one.
void RemoveLeftovers(const std::filesystem::path& folder, const std::string& prefix,
                     const std::string& own) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name != own) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

std::string SystemMend(int error, const std::string& path) {
  namespace fs = std::filesystem;
  // What cannot be made is not there: asked is about the nearest folder that is.
  fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  while (!folder.empty() && folder != folder.root_path() && !fs::is_directory(folder, ignored))
    folder = folder.parent_path();
  const std::string there = base::ShellPath(folder.empty() ? "." : folder.string());
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "df -h " + there + " && df -i " + there +
             "   # make room there, or of files, then again";
    case EFBIG:
      return "ulimit -f unlimited   # the shell lets no file become so large; then again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "ls -la " + there + "   # who may read and write there?";
    default:
      return "";
  }
}

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return SystemError(path, "cannot be opened");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return SystemError(path, "cannot be read");
  if (!S_ISREG(status.st_mode)) return FileError(path, 0, "is no regular file", "");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) {
    return FileError(
        path, 0,
        "has " + std::to_string(size) + " bytes; at most " + std::to_string(limit) + " are read",
        "");
  }
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

namespace {

std::string TemporaryPrefix(std::string_view name) { return "." + std::string(name) + ".tmp-"; }

}  // namespace

bool PreparedFile::IsTemporaryOf(std::string_view name, std::string_view of) {
  return name.starts_with(TemporaryPrefix(of));
}

Result<PreparedFile> PreparedFile::Write(const std::string& path, std::string_view bytes) {
  const std::filesystem::path target(path);
  const std::string prefix = TemporaryPrefix(target.filename().string());
  const std::string own = prefix + std::to_string(::getpid());
  PreparedFile prepared(path, (target.parent_path() / own).string());
  const Descriptor file(
      ::open(prepared.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) return SystemError(prepared.temporary_, "cannot be created");
  if (!WriteAll(file.get(), bytes) || ::fsync(file.get()) != 0)
    return SystemError(prepared.temporary_, "cannot be written");
  // Only now: at no time is there none, for by it a killed writer's payloads are known.
  RemoveLeftovers(target.has_parent_path() ? target.parent_path() : ".", prefix, own);
  return prepared;
}

Result<Done> PreparedFile::Commit() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return SystemError(path_, "cannot be replaced");
  temporary_.clear();
  const std::filesystem::path target(path_);
  if (!SyncFolder(target.has_parent_path() ? target.parent_path().string() : "."))
    return SystemError(path_, "its folder cannot be synced");
  return Done{};
}

PreparedFile::~PreparedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  TRY(auto prepared, PreparedFile::Write(path, bytes));
  return prepared.Commit();
}

Result<Done> MoveFile(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return SystemError(from, "cannot be moved");
  return Done{};
}

Result<Done> RemoveFile(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return SystemError(path, "cannot be removed");
  return Done{};
}

Result<std::vector<FolderEntry>> ListEntries(const std::string& folder) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  const std::filesystem::directory_iterator inside(folder, error);
  if (error == std::errc::no_such_file_or_directory) return entries;
  if (error) {
    return FileError(folder, 0, "cannot be listed: " + error.message(),
                     "ls -ld " + base::ShellPath(folder) +
                         "   # a folder of goldens that you may read is meant");
  }
  for (const auto& entry : inside) {
    std::string other;
    switch (entry.symlink_status(error).type()) {
      case std::filesystem::file_type::regular:
        break;
      case std::filesystem::file_type::directory:
        other = "a folder";
        break;
      case std::filesystem::file_type::symlink:
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

Result<FolderLock> FolderLock::Take(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return FileError(folder, 0, "cannot be created: " + error.message(),
                     SystemMend(error.value(), folder));
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(folder, "cannot be opened");
  while (::flock(descriptor, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    Error locked = SystemError(folder, "cannot be locked");
    ::close(descriptor);
    return locked;
  }
  return FolderLock(descriptor);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace revctl::golden
