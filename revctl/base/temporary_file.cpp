#include "revctl/base/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStem = "revctl-tmp-";
constexpr std::size_t kRandom = 6;  ///< number of characters that mkostemp chooses

/// Returns the .git folder of the work tree that contains `folder`, or "".
std::string GitFolder(const std::string& folder) {
  std::error_code error;
  for (fs::path at(folder); !at.empty(); at = at.parent_path()) {
    const fs::path git = at / ".git";
    if (fs::is_directory(git, error)) return git.string();
    if (fs::is_regular_file(git, error)) {
      constexpr std::string_view kWord = "gitdir: ";
      const auto text = ReadFile(git.string(), std::size_t{1} << 14);
      if (!text.ok() || !*text || !(**text).starts_with(kWord)) return "";
      const std::string named = (**text).substr(kWord.size(), (**text).find('\n') - kWord.size());
      return (at / named).string();
    }
    if (at == at.root_path()) break;
  }
  return "";
}

bool OnOneDisk(const std::string& one, const std::string& other) {
  struct stat first {
  }, second{};
  return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev;
}

/// Removes the leftover `path` if the process that created it has ended.
void RemoveIfLeft(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat opened {
  }, named{};
  // Check that the path still names the locked file, because a running process may have renamed it.
  const bool left = ::fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
                    ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                    named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
  if (left) ::unlink(path.c_str());
  ::close(fd);
}

bool IsMadeFrom(std::string_view name, std::string_view stem) {
  return name.size() == stem.size() + kRandom && name.starts_with(stem);
}

}  // namespace

std::optional<TemporaryFile> TemporaryFile::Make(const std::string& stem) {
  const std::string folder = FolderOf(stem), begin = fs::path(stem).filename().string();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (IsMadeFrom(entry.path().filename().string(), begin)) RemoveIfLeft(entry.path().string());
  }
  for (;;) {
    // Use a random name, so that an attacker cannot prepare a file or link with that name.
    std::string path = stem + std::string(kRandom, 'X');
    TemporaryFile file(::mkostemp(path.data(), O_CLOEXEC), "");
    if (file.fd_ < 0) return std::nullopt;
    file.path_ = std::move(path);
    struct stat about {};
    // Until this process holds the lock, another process may remove the file as a leftover. If that
    // has happened, try again.
    while (::flock(file.fd_, LOCK_EX) != 0 && errno == EINTR) continue;
    if (::fstat(file.fd_, &about) != 0 || about.st_nlink != 0) return file;
  }
}

Result<TemporaryFile> TemporaryFile::For(const std::string& path) {
  const std::string git = GitFolder(FolderOf(path));
  if (!git.empty() && OnOneDisk(git, FolderOf(path))) {
    if (auto made = Make(git + "/" + std::string(kStem))) return std::move(*made);
  }
  return Beside(path);
}

Result<TemporaryFile> TemporaryFile::Beside(const std::string& path) {
  const std::string folder = FolderOf(path);
  auto made = Make(folder + "/." + fs::path(path).filename().string() + "." + std::string(kStem));
  if (made) return std::move(*made);
  const int why = errno;
  const std::error_code reason(why, std::generic_category());
  return Error{Exit::Environment, path + ": cannot create a file next to it: " + reason.message(),
               why == ENOENT ? "mkdir -p " + ShellPath(folder) : SystemMend(why, path)};
}

TemporaryFile::~TemporaryFile() {
  // Remove the file while it is locked, because no other process can have reused the name then.
  if (!path_.empty()) ::unlink(path_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

bool TemporaryFile::TakePlaceOf(const std::string& path) {
  if (::rename(path_.c_str(), path.c_str()) != 0) return false;
  path_.clear();
  return true;
}

}  // namespace revctl::base
