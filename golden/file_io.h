#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

/// What helps where the system has refused something at `path` with `error` (an errno); empty where
/// nobody knows.
std::string SystemMend(int error, const std::string& path);

/// The whole file; nothing where there is none (which is an ordinary answer). A file above `limit`
/// bytes, a folder or a device in its place, or an error of the operating system is a problem.
Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);

/// A file that is written in full to a temporary beside `path` (`.NAME.tmp-PID`), fsynced, and
/// waits to take its place. Where it is dropped without that, the temporary goes; where the process
/// is killed, it stays until the next write of the same name.
class PreparedFile {
 public:
  static Result<PreparedFile> Write(const std::string& path, std::string_view bytes);
  /// Takes the place in one step: rename, fsync of the folder.
  Result<Done> Commit();

  /// Whether `name`, a file's, is such a temporary for the file `of`.
  static bool IsTemporaryOf(std::string_view name, std::string_view of);

  PreparedFile(PreparedFile&& other) noexcept
      : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}
  PreparedFile& operator=(PreparedFile&&) = delete;
  ~PreparedFile();

 private:
  PreparedFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}
  std::string path_, temporary_;
};

/// Replaces `path` in one step. A kill leaves the old file or the new one, and perhaps a temporary.
Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes);

/// Gives a file another name in its folder, in one step.
Result<Done> MoveFile(const std::string& from, const std::string& to);

/// Removes a file; one that is not there is fine.
Result<Done> RemoveFile(const std::string& path);

/// What stands under one name of a folder.
struct FolderEntry {
  std::string name;
  /// What it is where it is no regular file of this very folder: "a folder", "a symbolic link"...
  std::string other;
};
/// All entries of `folder`, sorted by name; empty where there is no such folder.
Result<std::vector<FolderEntry>> ListEntries(const std::string& folder);
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

}  // namespace revctl::golden
