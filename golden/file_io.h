#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"

namespace golden {

/// The whole file; nothing where there is none (which is an ordinary answer). A file above `limit`
/// bytes, a folder or a device in its place, or an error of the operating system is a problem.
Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);

/// Replaces `path` in one step: a temporary file beside it, fsync, rename, fsync of the folder. A
/// kill leaves the old file or the new one, and perhaps a temporary (`.NAME.tmp-PID`) that the next
/// write of the same name removes.
Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes);

/// Removes a file; one that is not there is fine.
Result<Done> RemoveFile(const std::string& path);

/// Names of the regular files in `folder`, sorted; empty where there is no such folder.
Result<std::vector<std::string>> ListFiles(const std::string& folder);

/// Held while a process writes into a folder; a second one waits. Released by the kernel even after
/// a kill.
class FolderLock {
 public:
  /// Creates the folder where it is missing.
  static Result<FolderLock> Take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace golden
