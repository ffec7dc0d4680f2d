#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "revctl/base/result.h"
#include "revctl/base/system/files.h"

namespace revctl::base {

/// A file that is written completely before it replaces another file. It is created in the .git
/// folder, where it cannot be committed, or next to the file that it replaces if that file is on a
/// different disk. The process locks the file, so that leftovers of killed processes can be
/// recognized. Creating a temporary file removes such leftovers from the same folder.
class TemporaryFile {
 public:
  /// Creates a temporary file that will replace `path`.
  static Result<TemporaryFile> For(const std::string& path);
  /// Creates a temporary file next to `path`. Returns an Error if that is impossible.
  static Result<TemporaryFile> Beside(const std::string& path);

  TemporaryFile(TemporaryFile&& other) noexcept
      : file_(std::move(other.file_)), path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFile();

  int fd() const { return file_.get(); }
  /// Renames the file to `path` in one step. Returns false and sets errno on failure.
  bool TakePlaceOf(const std::string& path);

 private:
  TemporaryFile(Descriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}
  /// Creates a file whose name begins with `stem`. Returns nullopt and sets errno on failure.
  static std::optional<TemporaryFile> Make(const std::string& stem);

  Descriptor file_;
  std::string path_;
};

/// A temporary folder outside the repository. The destructor removes the folder and its content.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make();
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
