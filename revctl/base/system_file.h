#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// The operating system's file functions. system_file_posix.cpp and system_file_windows.cpp
// implement this header; all other code is the same on all systems. Paths are UTF-8. A function
// that fails sets errno on every system.
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
/// Opens a file for writing. Creates it, or truncates an existing file.
Descriptor OpenEmpty(const std::string& path);

/// Creates a file whose name is `stem` and kRandomLetters unpredictable characters, so that an
/// attacker cannot prepare a file or link with this name. Sets `path`. While the file is open,
/// RemoveUnheld() does not remove it.
Descriptor CreateHeld(const std::string& stem, std::string& path);
inline constexpr std::size_t kRandomLetters = 6;
/// Removes a file that CreateHeld() created, if the process that created it has ended.
void RemoveUnheld(const std::string& path);
/// Creates a folder whose name is `stem` and kRandomLetters characters, for this user only. Returns
/// false on failure.
bool CreateFolder(const std::string& stem, std::string& path);

/// Returns the size of an open regular file. Returns nullopt for anything else, and on failure,
/// which sets errno.
std::optional<std::uint64_t> RegularSize(int file);
/// Fills `buffer` from the current position. Returns its size, a smaller size at the end of the
/// file, or nullopt on failure.
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
/// Flushes a folder's entries to disk. Fails on some network disks; there, a rename merely reaches
/// the disk later.
bool SyncFolder(const std::string& folder);
/// Returns false and sets errno to ENOSPC if the disk has no space for `size` bytes in this file.
bool HasRoom(int file, std::size_t size);

/// Renames a file in one step. Replaces the file at `to` if there is one.
bool MoveOver(const std::string& from, const std::string& to);
/// Like MoveOver(), for a file that CreateHeld() created. Closes `file` first on some Windows file
/// systems.
bool MoveHeldOver(Descriptor& file, const std::string& from, const std::string& to);
bool Remove(const std::string& path);
/// True if files can be moved from one of these folders to the other in one step.
bool OnOneDisk(const std::string& folder, const std::string& other);
/// Gives an open file the permissions of `path`, or `mode` if there is no such file.
bool CopyMode(int file, const std::string& path, unsigned mode);

enum class FileStream { None, Writable, Other };
/// Follows links. Returns Writable for a pipe or a character device, Other for a socket or a block
/// device, and None for a file, a folder or a missing entry.
FileStream FileStreamAt(const std::string& path);
/// Opens a Writable stream. Fails for a pipe without a reader instead of waiting.
Descriptor OpenStream(const std::string& path);

/// Opens a lock file for TryLock() and Lock(), and creates it if it is missing.
Descriptor OpenLock(const std::string& path);
/// Opens the lock of a folder.
Descriptor OpenFolderLock(const std::string& folder);
/// Locks a descriptor that one of the two functions above returned. Returns false and sets errno to
/// EWOULDBLOCK if another process or another descriptor holds the lock. The system unlocks it when
/// the descriptor is closed or the process ends.
bool TryLock(int file);
/// Like TryLock(), but waits until the lock is free.
bool Lock(int file);
/// Replaces the content of a locked file. Other processes can read the file at the same time.
bool ReplaceContent(int file, std::string_view bytes);

/// Returns the id of this process.
unsigned long ProcessNumber();

/// Returns the system's message for an errno.
std::string ErrorWords(int error);
/// Returns a command that may help after `error` (an errno) occurred in `folder`, or "" if none is
/// known. `folder` is already quoted for the shell.
std::string SystemFixIn(int error, const std::string& folder);

}  // namespace revctl::base
