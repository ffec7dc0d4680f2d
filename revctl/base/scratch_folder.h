#pragma once
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "revctl/base/result.h"

namespace revctl::base {

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
