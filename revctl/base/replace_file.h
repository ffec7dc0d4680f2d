#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "revctl/base/result.h"

// Replaces whole files: writes a temporary file, syncs it and renames it. If the path is a pipe or
// a character device (/dev/stdout), the bytes are written to it instead.
namespace revctl::base {

/// A complete, synced temporary file (`.NAME.tmp-PID` next to `path`) that Commit() renames to
/// `path`. If Commit() is not called, the destructor removes the file. If the process is killed
/// first, the next write of the same file removes it. Concurrent writers of one `path` must hold a
/// lock on the folder.
class PreparedFile {
 public:
  static Result<PreparedFile> Write(const std::string& path, std::string_view bytes);
  Result<Done> Commit();

  /// True if `name` could be the name of a temporary file that replaces a file named `of`.
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

/// Replaces `path` as a whole or not at all. An existing file keeps its mode; a new one gets
/// `mode`. A symbolic link stays, and its target is replaced.
Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode = 0644);

/// Checks that `path` could be replaced now, by creating and removing a temporary file next to it.
Result<Done> ProbeReplace(const std::string& path);

/// Replaces `path` in one step, with a PreparedFile. If the process is killed, `path` has either
/// its old or its new content, but the temporary file may remain.
Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace revctl::base
