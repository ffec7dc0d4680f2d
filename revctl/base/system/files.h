#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The operating system's file functions, which files_posix.cpp and files_windows.cpp implement. All
// code that uses them is the same on all systems. Paths are UTF-8. On every system, a function that
// fails sets errno.
namespace revctl::base {

/// Owns an open file descriptor. `get()` is negative if there is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int get() const { return number_; }
  bool IsOpen() const { return number_ >= 0; }

 private:
  int number_;
};

/// Opens a file for reading. Other processes can replace or remove the file while it is open. Never
/// blocks, even on a pipe without a writer.
Descriptor OpenToRead(const std::string& path);
/// Opens a file for writing. Creates the file, or truncates it if it exists.
Descriptor OpenEmpty(const std::string& path);

/// Creates a file named `stem` followed by kRandomLetters unpredictable characters, so that an
/// attacker cannot prepare a file or link with this name. Sets `path`. While the file is open,
/// RemoveUnheld() does not remove it.
Descriptor CreateHeld(const std::string& stem, std::string& path);
inline constexpr std::size_t kRandomLetters = 6;
/// Removes a file that CreateHeld() created, if the process that created it has ended.
void RemoveUnheld(const std::string& path);
/// Creates a folder for this user only, named `stem` followed by kRandomLetters characters. Sets
/// `path`. Returns false on failure.
bool CreateFolder(const std::string& stem, std::string& path);

/// Returns the size of an open regular file. Returns nullopt for any other kind of file, or on
/// failure, after setting errno.
std::optional<std::uint64_t> RegularSize(int file);
/// Reads from the current position until `buffer` is full or the file ends. Returns the number of
/// bytes read, or nullopt on failure.
std::optional<std::size_t> ReadInto(int file, std::span<char> buffer);
/// Reads at most `size` bytes from the current position. Returns nullopt on failure.
inline std::optional<std::string> ReadUpTo(int file, std::size_t size) {
  std::string bytes(size, '\0');
  const auto have = ReadInto(file, bytes);
  if (!have) return std::nullopt;
  bytes.resize(*have);
  return bytes;
}
bool WriteAll(int file, std::string_view bytes);
/// Flushes the file to disk.
bool SyncFile(int file);
/// Flushes a folder's entries to disk. This fails on some network disks, where a rename may reach
/// the disk later.
bool SyncFolder(const std::string& folder);
/// True if the disk has room for `size` bytes in this file. Otherwise, sets errno to ENOSPC.
bool HasRoom(int file, std::size_t size);

/// Renames a file in one step. Replaces the file at `to` if there is one.
bool MoveOver(const std::string& from, const std::string& to);
/// Does the same as MoveOver(), for a file that CreateHeld() created. On some Windows file systems,
/// closes `file` first.
bool MoveHeldOver(Descriptor& file, const std::string& from, const std::string& to);
bool Remove(const std::string& path);
/// True if a file can be moved between the two folders in one step.
bool OnOneDisk(const std::string& folder, const std::string& other);
/// Gives an open file the permissions of `path`, or `mode` if there is no such file.
bool CopyMode(int file, const std::string& path, unsigned mode);

enum class FileStream { None, Writable, Other };
/// Returns the kind of stream at `path`, following links: Writable for a pipe or a character
/// device, Other for a socket or a block device, and None for a file, a folder or a missing entry.
FileStream FileStreamAt(const std::string& path);
/// Opens a stream for writing. For a pipe without a reader, fails instead of waiting.
Descriptor OpenStream(const std::string& path);

/// The kind of file system entry at a path, without following symbolic links. Windows junctions
/// count as links.
enum class PathKind { None, File, Folder, Link, Other };
/// Returns the kind of the entry at `path`, or None if the entry is missing or cannot be
/// examined.
PathKind KindAt(const std::string& path);

struct ListedEntry {
  std::string name;
  PathKind kind = PathKind::None;
};
/// Returns all entries of a folder, unsorted. Returns nullopt and sets errno on failure.
std::optional<std::vector<ListedEntry>> ListFolder(const std::string& folder);

/// Opens a lock file for TryLock() and Lock(), creating it if it is missing.
Descriptor OpenLock(const std::string& path);
/// Opens the lock of a folder for TryLock() and Lock().
Descriptor OpenFolderLock(const std::string& folder);
/// Locks a descriptor from OpenLock() or OpenFolderLock(). Returns false and sets errno to
/// EWOULDBLOCK if another process or another descriptor holds the lock. The system unlocks it when
/// the descriptor is closed or the process ends.
bool TryLock(int file);
/// Like TryLock(), but waits until the lock is free.
bool Lock(int file);
/// Replaces the content of a locked file. Meanwhile, other processes can read the file.
bool ReplaceContent(int file, std::string_view bytes);

/// Returns the id of this process.
unsigned long ProcessNumber();

/// Returns the operating system's message for an errno.
std::string ErrorWords(int error);
/// Returns a command that may help after `error` (an errno) occurred in `folder`, or "" if none is
/// known. `folder` is already quoted for the shell.
std::string SystemFixIn(int error, const std::string& folder);

}  // namespace revctl::base
