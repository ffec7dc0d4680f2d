#include "revctl/base/system/files.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/system/shared_windows.h"
#include "revctl/base/terminal.h"

namespace revctl::base {
namespace {

using windows::FailWith;
using windows::Handle;
using windows::WidePath;

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Maximum number of bytes per read or write, because Windows counts them in 32 bits.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

HANDLE HandleOf(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

HANDLE HandleOf(Stream stream) {
  switch (stream) {
    case Stream::In:
      return ::GetStdHandle(STD_INPUT_HANDLE);
    case Stream::Out:
      return ::GetStdHandle(STD_OUTPUT_HANDLE);
    default:
      return ::GetStdHandle(STD_ERROR_HANDLE);
  }
}

/// Converts a handle to a descriptor that owns it. For a null handle, sets errno from the last
/// Windows error.
Descriptor Owning(Handle handle, int flags = 0) {
  if (handle.get() == nullptr) {
    FailWith(::GetLastError());
    return Descriptor();
  }
  const int number = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()),
                                       flags | _O_BINARY | _O_NOINHERIT);
  if (number >= 0) (void)handle.Release();
  return Descriptor(number);
}

Descriptor Open(const std::string& path, DWORD access, DWORD share, DWORD creation,
                DWORD flags = FILE_ATTRIBUTE_NORMAL) {
  return Owning(Handle(
      ::CreateFileW(WidePath(path).c_str(), access, share, nullptr, creation, flags, nullptr)));
}

std::string RandomLetters() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string letters;
  while (letters.size() < kRandomLetters) letters += kLetters[random() % kLetters.size()];
  return letters;
}

/// Returns the byte range to lock: one byte far beyond the end of any lock file, because other
/// processes cannot read locked bytes on Windows.
OVERLAPPED LockedByte() {
  OVERLAPPED place{};
  place.OffsetHigh = 0x40000000;
  return place;
}

bool LockByte(int file, DWORD flags) {
  OVERLAPPED place = LockedByte();
  if (::LockFileEx(HandleOf(file), LOCKFILE_EXCLUSIVE_LOCK | flags, 0, 1, 0, &place) != 0)
    return true;
  return FailWith(::GetLastError());
}

bool IsBusy(DWORD error) {
  return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED ||
         error == ERROR_USER_MAPPED_FILE;
}

/// Repeats `attempt` for up to a second, until it returns 0 or an error that waiting cannot fix.
/// While a virus scanner or an indexer has a file open, Windows cannot replace or remove the file.
template <class Attempt>
bool WithPatience(const Attempt& attempt) {
  for (int tries = 0;; ++tries) {
    const DWORD error = attempt();
    if (error == 0) return true;
    if (!IsBusy(error) || tries == 50) return FailWith(error);
    ::Sleep(20);
  }
}

/// Renames a file in one step, even if other processes have `target` open, as long as they allow
/// its removal. Returns a Windows error code. Only local disks support this, since Windows 10; on
/// other file systems, the error is not IsBusy().
DWORD Rename(const std::wstring& source, const std::wstring& target) {
  // FILE_RENAME_INFO and its flags. MinGW declares them only for newer values of _WIN32_WINNT.
  struct Renaming {
    DWORD flags;
    HANDLE folder;
    DWORD size;
    WCHAR name[1];
  };
  constexpr DWORD kReplaceIfExists = 1, kPosixSemantics = 2;
  constexpr auto kFileRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  const Handle file(::CreateFileW(source.c_str(), DELETE | SYNCHRONIZE, kShareAll, nullptr,
                                  OPEN_EXISTING,
                                  FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_WRITE_THROUGH, nullptr));
  if (file.get() == nullptr) return ::GetLastError();
  std::vector<std::byte> space(sizeof(Renaming) + target.size() * sizeof(WCHAR));
  auto* const renaming = new (space.data()) Renaming{};
  renaming->flags = kReplaceIfExists | kPosixSemantics;
  renaming->size = static_cast<DWORD>(target.size() * sizeof(WCHAR));
  std::memcpy(space.data() + offsetof(Renaming, name), target.c_str(),
              (target.size() + 1) * sizeof(WCHAR));
  return ::SetFileInformationByHandle(file.get(), kFileRenameInfoEx, space.data(),
                                      static_cast<DWORD>(space.size())) != 0
             ? 0
             : ::GetLastError();
}

/// Renames a file on file systems that do not support Rename(). ReplaceFileW can replace a file
/// that other processes have open, but takes two steps and does not work on all file systems.
/// MoveFileExW only replaces a file that no process has open.
DWORD Replace(const std::wstring& source, const std::wstring& target) {
  constexpr DWORD kIgnore = REPLACEFILE_IGNORE_MERGE_ERRORS | REPLACEFILE_IGNORE_ACL_ERRORS;
  if (::GetFileAttributesW(target.c_str()) != INVALID_FILE_ATTRIBUTES &&
      ::ReplaceFileW(target.c_str(), source.c_str(), nullptr, kIgnore, nullptr, nullptr) != 0)
    return 0;
  return ::MoveFileExW(source.c_str(), target.c_str(),
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0
             ? 0
             : ::GetLastError();
}

/// Returns the path of an existing file or folder with links resolved. On failure, sets errno and
/// returns "".
std::wstring FinalPath(const std::wstring& path) {
  const Handle opened(::CreateFileW(WidePath(windows::Utf8(path)).c_str(), 0, kShareAll, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (opened.get() == nullptr) {
    FailWith(::GetLastError());
    return {};
  }
  std::wstring name(std::size_t{32768}, L'\0');
  const DWORD length =
      ::GetFinalPathNameByHandleW(opened.get(), name.data(), static_cast<DWORD>(name.size()), 0);
  // Some drivers for network and RAM disks do not return names, and Wine 8 does not return names of
  // 260 or more characters. Treat such a path as resolved.
  if (length == 0 || length >= name.size()) return path;
  name.resize(length);
  return name;
}

/// Returns the absolute form of a path, or "" on failure.
std::wstring FullPath(const std::string& path) {
  std::wstring full(std::size_t{32768}, L'\0');
  const DWORD length = ::GetFullPathNameW(windows::Wide(path).c_str(),
                                          static_cast<DWORD>(full.size()), full.data(), nullptr);
  full.resize(length < full.size() ? length : 0);
  return full;
}

PathKind KindOf(DWORD attributes, DWORD tag) {
  // Treat files in cloud storage as ordinary files. They are reparse points, too, but with
  // different tags than links.
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
      (tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT))
    return PathKind::Link;
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return PathKind::Folder;
  return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? PathKind::Other : PathKind::File;
}

UINT output_code_page = 0;

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::_close(number_);
}

void PrepareProcess() {
  for (const int number : {0, 1, 2}) {
    if (::_get_osfhandle(number) < 0) {
      const int nothing = ::_wopen(L"NUL", number == 1 ? _O_RDONLY : _O_WRONLY);
      if (nothing >= 0 && nothing != number) {
        ::_dup2(nothing, number);
        ::_close(nothing);
      }
    }
    // Turn off line ending conversion, to write the same bytes on all systems.
    ::_setmode(number, _O_BINARY);
  }
  DWORD mode = 0;
  for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    const HANDLE console = ::GetStdHandle(stream);
    if (::GetConsoleMode(console, &mode) == 0) continue;
    ::SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (output_code_page != 0) continue;
    output_code_page = ::GetConsoleOutputCP();
    ::SetConsoleOutputCP(CP_UTF8);
    std::atexit([] { ::SetConsoleOutputCP(output_code_page); });
  }
}

// Checks for a console mode, which only consoles have. msvcrt's isatty() would take the null device
// for a terminal.
bool IsTerminal(Stream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(HandleOf(stream), &mode) != 0;
}

std::size_t TerminalWidth(Stream stream) {
  if (!IsTerminal(stream)) return 0;
  CONSOLE_SCREEN_BUFFER_INFO about{};
  if (::GetConsoleScreenBufferInfo(HandleOf(stream), &about) == 0) return 80;
  const int columns = about.srWindow.Right - about.srWindow.Left + 1;
  return columns > 0 ? static_cast<std::size_t>(columns) : 80;
}

Descriptor OpenToRead(const std::string& path) {
  // Pass FILE_FLAG_BACKUP_SEMANTICS, because without it, opening a folder fails with the same error
  // as opening a file without permission.
  return Open(path, GENERIC_READ, kShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
}

Descriptor OpenEmpty(const std::string& path) {
  return Open(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_ALWAYS);
}

Descriptor CreateHeld(const std::string& stem, std::string& path) {
  for (int tries = 0;; ++tries) {
    path = stem + RandomLetters();
    Descriptor file =
        Open(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_NEW);
    if (file.IsOpen() || errno != EEXIST || tries == 100) return file;
  }
}

void RemoveUnheld(const std::string& path) {
  // Open the file without sharing, which fails while the process that created the file has it open.
  const Handle file(::CreateFileW(WidePath(path).c_str(), DELETE, 0, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT,
                                  nullptr));
}

bool CreateFolder(const std::string& stem, std::string& path) {
  for (int tries = 0;; ++tries) {
    path = stem + RandomLetters();
    // No permissions need to be set: the folder inherits those of its parent, the user's own
    // temporary folder.
    if (::CreateDirectoryW(WidePath(path).c_str(), nullptr) != 0) return true;
    const DWORD error = ::GetLastError();
    if (error != ERROR_ALREADY_EXISTS || tries == 100) return FailWith(error);
  }
}

std::optional<std::uint64_t> RegularSize(int file) {
  errno = 0;
  BY_HANDLE_FILE_INFORMATION about{};
  const HANDLE handle = HandleOf(file);
  if (::GetFileType(handle) != FILE_TYPE_DISK) return std::nullopt;
  if (::GetFileInformationByHandle(handle, &about) == 0) {
    FailWith(::GetLastError());
    return std::nullopt;
  }
  if ((about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  return std::uint64_t{about.nFileSizeHigh} << 32 | about.nFileSizeLow;
}

std::optional<std::size_t> ReadInto(int file, std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    DWORD got = 0;
    if (::ReadFile(HandleOf(file), buffer.data() + have,
                   static_cast<DWORD>(std::min(buffer.size() - have, kMostAtOnce)), &got,
                   nullptr) == 0) {
      FailWith(::GetLastError());
      return std::nullopt;
    }
    if (got == 0) break;
    have += got;
  }
  return have;
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(HandleOf(file), bytes.data(),
                    static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce)), &written,
                    nullptr) == 0)
      return FailWith(::GetLastError());
    bytes.remove_prefix(written);
  }
  return true;
}

bool SyncFile(int file) {
  return ::FlushFileBuffers(HandleOf(file)) != 0 || FailWith(::GetLastError());
}

// Does nothing, because NTFS has a journal for names, and MoveOver() waits until the journal is
// written.
bool SyncFolder(const std::string&) { return true; }

bool HasRoom(int file, std::size_t size) {
  FILE_ALLOCATION_INFO wanted{};
  wanted.AllocationSize.QuadPart = static_cast<LONGLONG>(size);
  // Any other error means that the file system cannot reserve space, not that the disk is full.
  return ::SetFileInformationByHandle(HandleOf(file), FileAllocationInfo, &wanted, sizeof wanted) !=
             0 ||
         ::GetLastError() != ERROR_DISK_FULL || FailWith(ERROR_DISK_FULL);
}

bool MoveOver(const std::string& from, const std::string& to) {
  const std::wstring source = WidePath(from), target = WidePath(to);
  return WithPatience([&] {
    const DWORD error = Rename(source, target);
    return error == 0 || IsBusy(error) ? error : Replace(source, target);
  });
}

bool MoveHeldOver(Descriptor& file, const std::string& from, const std::string& to) {
  const std::wstring source = WidePath(from), target = WidePath(to);
  return WithPatience([&] {
    const DWORD error = Rename(source, target);
    if (error == 0 || IsBusy(error)) return error;
    // Close the file, because ReplaceFileW opens it without sharing.
    file = Descriptor();
    return Replace(source, target);
  });
}

bool Remove(const std::string& path) {
  const std::wstring wide = WidePath(path);
  return WithPatience(
      [&]() -> DWORD { return ::DeleteFileW(wide.c_str()) != 0 ? 0 : ::GetLastError(); });
}

bool OnOneDisk(const std::string& folder, const std::string& other) {
  const auto disk = [](const std::string& path) {
    wchar_t name[MAX_PATH + 1] = {};
    return ::GetVolumePathNameW(WidePath(path).c_str(), name, MAX_PATH) != 0 ? std::wstring(name)
                                                                             : std::wstring();
  };
  const std::wstring first = disk(folder);
  return !first.empty() && first == disk(other);
}

// Does nothing, because a new file inherits the permissions of its folder.
bool CopyMode(int, const std::string&, unsigned) { return true; }

FileStream FileStreamAt(const std::string& path) {
  wchar_t full[MAX_PATH + 1] = {};
  const DWORD length = ::GetFullPathNameW(windows::Wide(path).c_str(), MAX_PATH, full, nullptr);
  return length < MAX_PATH && std::wstring_view(full).starts_with(L"\\\\.\\") ? FileStream::Writable
                                                                              : FileStream::None;
}

Descriptor OpenStream(const std::string& path) {
  return Owning(Handle(::CreateFileW(windows::Wide(path).c_str(), GENERIC_WRITE, kShareAll, nullptr,
                                     OPEN_EXISTING, 0, nullptr)));
}

Descriptor OpenLock(const std::string& path) {
  return Open(path, GENERIC_READ | GENERIC_WRITE, kShareAll, OPEN_ALWAYS);
}

Descriptor OpenFolderLock(const std::string& folder) {
  // Windows cannot lock folders, and git would see a lock file inside the folder. So the lock is a
  // file in the user's temporary folder, named after a hash of the locked folder's full path.
  const std::wstring name = FinalPath(FullPath(folder));
  if (name.empty()) return Descriptor();
  std::wstring temporary(MAX_PATH + 1, L'\0');
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const wchar_t c : name) hash = (hash ^ c) * 0x100000001b3;
  temporary.resize(::GetTempPathW(MAX_PATH, temporary.data()));
  return OpenLock(windows::Utf8(temporary) + "revctl-lock-" + std::to_string(hash));
}

bool TryLock(int file) { return LockByte(file, LOCKFILE_FAIL_IMMEDIATELY); }

bool Lock(int file) { return LockByte(file, 0); }

bool ReplaceContent(int file, std::string_view bytes) {
  LARGE_INTEGER begin{};
  return ::SetFilePointerEx(HandleOf(file), begin, nullptr, FILE_BEGIN) != 0 &&
         ::SetEndOfFile(HandleOf(file)) != 0 && WriteAll(file, bytes);
}

// Uses the Windows API, because MinGW's std::filesystem does not recognize links.
PathKind KindAt(const std::string& path) {
  const std::wstring wide = WidePath(path);
  const DWORD attributes = ::GetFileAttributesW(wide.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return PathKind::None;
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return KindOf(attributes, 0);
  WIN32_FIND_DATAW about{};
  const HANDLE search = ::FindFirstFileW(wide.c_str(), &about);
  if (search == INVALID_HANDLE_VALUE) return PathKind::Link;
  ::FindClose(search);
  return KindOf(about.dwFileAttributes, about.dwReserved0);
}

// Uses the Windows API, because MinGW's std::filesystem lists only folders whose paths have fewer
// than 260 characters.
std::optional<std::vector<ListedEntry>> ListFolder(const std::string& folder) {
  std::vector<ListedEntry> entries;
  WIN32_FIND_DATAW about{};
  const HANDLE search =
      ::FindFirstFileExW(WidePath(folder + "/*").c_str(), FindExInfoBasic, &about,
                         FindExSearchNameMatch, nullptr, FIND_FIRST_EX_LARGE_FETCH);
  DWORD error = search == INVALID_HANDLE_VALUE ? ::GetLastError() : 0;
  while (error == 0) {
    std::string name = windows::Utf8(about.cFileName);
    if (name != "." && name != "..")
      entries.push_back({std::move(name), KindOf(about.dwFileAttributes, about.dwReserved0)});
    if (::FindNextFileW(search, &about) == 0) error = ::GetLastError();
  }
  if (search != INVALID_HANDLE_VALUE) ::FindClose(search);
  // The root of an empty disk has no entries, not even `.`.
  if (error == ERROR_NO_MORE_FILES ||
      (error == ERROR_FILE_NOT_FOUND && KindAt(folder) == PathKind::Folder))
    return entries;
  FailWith(error);
  if (KindAt(folder) == PathKind::File) errno = ENOTDIR;
  return std::nullopt;
}

std::string ResolvedPath(const std::string& path) {
  std::wstring full = FullPath(path);
  // Resolve the longest existing part of the path and append the rest, because Windows resolves
  // only existing paths.
  std::wstring rest;
  while (!full.empty()) {
    if (const std::wstring name = FinalPath(full); !name.empty()) {
      std::string resolved = windows::PlainPath(name);
      if (resolved.ends_with('/') && !rest.empty()) resolved.pop_back();
      return resolved + windows::PlainPath(rest);
    }
    const std::size_t slash = full.find_last_of(L'\\');
    if (slash == full.npos || slash == 0) return "";
    rest.insert(0, full.substr(slash));
    full.resize(slash);
  }
  return "";
}

unsigned long ProcessNumber() { return ::GetCurrentProcessId(); }

Result<Done> MakePrivateFolder(const std::string& folder) {
  // No permissions need to be set: the user owns the temporary folder, and new folders in it
  // inherit its permissions.
  if (::CreateDirectoryW(WidePath(folder).c_str(), nullptr) != 0) return Done{};
  const DWORD error = ::GetLastError();
  const DWORD attributes = ::GetFileAttributesW(WidePath(folder).c_str());
  const bool exists = error == ERROR_ALREADY_EXISTS && attributes != INVALID_FILE_ATTRIBUTES;
  if (exists && (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) ==
                    FILE_ATTRIBUTE_DIRECTORY)
    return Done{};
  FailWith(error);
  return FileError(folder, 0,
                   exists ? "is not a folder" : "cannot be created: " + ErrorWords(errno),
                   "remove it, or set TEMP to your own folder");
}

// Returns 0, because each user has a separate temporary folder on Windows.
unsigned long UserNumber() { return 0; }

bool IsNullDevice(const std::string& path) {
  return path == "/dev/null" || ::_stricmp(path.c_str(), "nul") == 0;
}

bool IsExecutable(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesW(WidePath(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::string ErrorWords(int error) {
  return error == ETXTBSY ? "another program has the file open" : std::strerror(error);
}

std::string SystemFixIn(int error, const std::string& folder) {
  switch (error) {
    case ENOSPC:
      return "dir " + folder + "   # free space on that disk, then try again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "icacls " + folder + "   # check the permissions";
    case ETXTBSY:
      return "close the program that has the file open, then try again";
    default:
      return "";
  }
}

}  // namespace revctl::base
