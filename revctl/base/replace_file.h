#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "revctl/base/result.h"

// Files that are replaced as a whole: written beside, synced, renamed. A pipe or a character device
// (/dev/stdout) is no file: it stays, and the bytes go into it.
namespace revctl::base {

/// Takes the bytes to the disk: all written, then synced. False with errno.
bool WriteSynced(int file, std::string_view bytes);
/// Takes a file's new name to the disk. False with errno, as on some network disks: the file is
/// whole either way, its name comes later.
bool SyncFolderOf(const std::string& path);

/// A file that is written in full to a temporary beside `path` (`.NAME.tmp-PID`), fsynced, and
/// waits to take its place. Where it is dropped without that, the temporary goes; where the process
/// is killed, it stays until the next write of the same name. Two of one `path` at a time need a
/// Lock of their folder.
class PreparedFile {
 public:
  static Result<PreparedFile> Write(const std::string& path, std::string_view bytes);
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

/// Replaces `path` as a whole or not at all. The mode of an existing file stays; `mode` is that of
/// a new one. A symbolic link stays a link, what it names is replaced.
Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode = 0644);

/// Could `path` be replaced now? Tried with an empty file beside it, which is removed again.
Result<Done> ProbeReplace(const std::string& path);

/// Replaces `path` in one step, by a PreparedFile. A kill leaves the old file or the new one, and
/// perhaps a temporary.
Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes);

}  // namespace revctl::base
