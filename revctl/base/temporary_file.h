#pragma once
#include <optional>
#include <string>
#include <utility>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include "revctl/base/result.h"

namespace revctl::base {

/// A file that is written in full before it takes another one's place. It waits in git's folder,
/// where nothing commits it; beside the other file where that is on another disk. Its process holds
/// a lock on it: what a killed one left can be locked, and goes when the next one is made there.
class TemporaryFile {
 public:
  /// For a file that shall take the place of `path`.
  static Result<TemporaryFile> For(const std::string& path);
  /// An Error says why there can be no new file in that folder.
  static Result<TemporaryFile> Beside(const std::string& path);

  TemporaryFile(TemporaryFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFile();

  int fd() const { return fd_; }
  /// In one step. Where it is false, errno says why.
  bool TakePlaceOf(const std::string& path);

 private:
  TemporaryFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  /// A name that begins like `stem`; nothing where errno says why.
  static std::optional<TemporaryFile> Make(const std::string& stem);

  int fd_;
  std::string path_;
};

/// A folder of this process alone, outside the repository; removed with what is in it.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make() {
    std::error_code error;
    std::string path = (std::filesystem::temp_directory_path(error) / "revctl-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) {
      return Error{Exit::Environment, path + " cannot be made: " + std::strerror(errno),
                   "point TMPDIR at a folder that can be written"};
    }
    return ScratchFolder(std::move(path));
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace revctl::base
