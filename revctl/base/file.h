#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/base/system/files.h"

// File system access. Errors store the file name in `Error::file`, not in the message.
namespace revctl::base {

/// Prepares the process of a command-line program. Call this first in main(). If stdin, stdout or
/// stderr is closed, opens the null device in its place, so that no other file gets its descriptor;
/// reading from that stdin or writing to that stdout fails. Exceeding the file size limit becomes
/// an error instead of a signal. On Windows, disables line ending conversion on the three streams
/// and switches the console to UTF-8.
void PrepareProcess();

/// Returns a command that may fix `error` (an errno) at `path`, or "" if none is known.
std::string SystemFix(int error, const std::string& path);
/// Returns an error for the system call that just failed. The message is `cannot`, such as "cannot
/// be read", followed by the system's text for errno.
Error SystemError(const std::string& path, std::string_view cannot);

/// Returns the error with its file name moved into the message, as in "src/list.h: cannot be read:
/// why".
Error InMessage(Error error);

/// Reads a regular file from its beginning, piece by piece.
class FileReader {
 public:
  /// Opens a file. Returns nullopt if it does not exist. Fails if it has more than `limit` bytes,
  /// is not a regular file, or cannot be opened.
  static Result<std::optional<FileReader>> Open(const std::string& path, std::size_t limit);
  std::size_t size() const { return size_; }
  /// Reads until `buffer` is full or the file ends. Returns the number of bytes read, which is
  /// smaller than the buffer only at the end of the file.
  Result<std::size_t> Read(std::span<char> buffer);

 private:
  FileReader(std::string path, Descriptor file, std::size_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::string path_;
  Descriptor file_;
  std::size_t size_;
};

/// Returns the content of a file, or nullopt if it does not exist. Fails if it has more than
/// `limit` bytes, is not a regular file, or cannot be read.
Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);

/// Renames a file in one step, within one file system.
Result<Done> MoveFile(const std::string& from, const std::string& to);

/// Copies a file, or a folder and all its contents, to `to`. Replaces existing files and creates
/// missing folders. Follows symbolic links.
Result<Done> CopyOver(const std::string& from, const std::string& to);

/// Removes a file. Also succeeds if the file does not exist.
Result<Done> RemoveFile(const std::string& path);

/// Creates `folder` for this user only. Fails if it exists and belongs to another user or is
/// accessible to others, because an attacker could have created it in a shared folder.
Result<Done> MakePrivateFolder(const std::string& folder);

/// Returns the numeric user id, for file names in folders that users share. Returns 0 on Windows,
/// where users share no such folder.
unsigned long UserNumber();

/// True for the null device: /dev/null or, on Windows, also NUL.
bool IsNullDevice(const std::string& path);

bool IsExecutable(const std::string& path);

/// The value of FolderEntry::other for a folder.
inline constexpr char kFolder[] = "a folder";
struct FolderEntry {
  std::string name;
  /// Empty for a regular file. Otherwise, the kind of the entry: kFolder, "a symbolic link", ...
  std::string other;
};
/// Returns all entries of `folder`, sorted by name, or an empty list if there is no such folder.
Result<std::vector<FolderEntry>> ListEntries(const std::string& folder);
/// Returns the names of the regular files in `folder`, sorted, or an empty list if there is no such
/// folder.
Result<std::vector<std::string>> ListFiles(const std::string& folder);

/// Resolves the symbolic links in the part of `path` that exists. Returns "" on failure.
std::string ResolvedPath(const std::string& path);

/// Returns the folder part of a path, or "." if there is none.
std::string FolderOf(const std::string& path);

constexpr std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace revctl::base
