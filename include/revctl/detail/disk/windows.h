#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <revctl/detail/base/status.h>

// File access on Windows. posix.h defines the same names for other systems, and system.h includes
// the right header.
//
// This header declares functions of kernel32.dll exactly as <windows.h> does, so that programs may
// include both, in any order. Including <windows.h> here would define macros whose names clash with
// names in games (near, far, min, max, ERROR) in every file that saves.

struct _SECURITY_ATTRIBUTES;
struct _OVERLAPPED;
union _LARGE_INTEGER;
struct _MEMORYSTATUSEX;

extern "C" {
__declspec(dllimport) void* __stdcall CreateFileW(const wchar_t*, unsigned long, unsigned long,
                                                  _SECURITY_ATTRIBUTES*, unsigned long,
                                                  unsigned long, void*);
__declspec(dllimport) int __stdcall ReadFile(void*, void*, unsigned long, unsigned long*,
                                             _OVERLAPPED*);
__declspec(dllimport) int __stdcall WriteFile(void*, const void*, unsigned long, unsigned long*,
                                              _OVERLAPPED*);
__declspec(dllimport) int __stdcall FlushFileBuffers(void*);
__declspec(dllimport) int __stdcall CloseHandle(void*);
__declspec(dllimport) int __stdcall GetFileSizeEx(void*, _LARGE_INTEGER*);
__declspec(dllimport) unsigned long __stdcall GetFileType(void*);
__declspec(dllimport) unsigned long __stdcall GetFileAttributesW(const wchar_t*);
__declspec(dllimport) unsigned long __stdcall GetFullPathNameW(const wchar_t*, unsigned long,
                                                               wchar_t*, wchar_t**);
__declspec(dllimport) unsigned long __stdcall GetFinalPathNameByHandleW(void*, wchar_t*,
                                                                        unsigned long,
                                                                        unsigned long);
__declspec(dllimport) int __stdcall MoveFileExW(const wchar_t*, const wchar_t*, unsigned long);
__declspec(dllimport) int __stdcall ReplaceFileW(const wchar_t*, const wchar_t*, const wchar_t*,
                                                 unsigned long, void*, void*);
__declspec(dllimport) int __stdcall DeleteFileW(const wchar_t*);
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) unsigned long __stdcall GetCurrentProcessId();
__declspec(dllimport) unsigned long long __stdcall GetTickCount64();
__declspec(dllimport) void __stdcall Sleep(unsigned long);
__declspec(dllimport) int __stdcall GlobalMemoryStatusEx(_MEMORYSTATUSEX*);
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned int, unsigned long, const char*,
                                                        int, wchar_t*, int);
}

namespace revctl {

class Status;
Status ReplaceFile(const std::string& path, std::span<const std::byte> bytes);
/// <windows.h> defines ReplaceFile as a macro that expands to one of these names.
inline Status ReplaceFileA(const std::string& path, std::span<const std::byte> bytes) {
  return ReplaceFile(path, bytes);
}
inline Status ReplaceFileW(const std::string& path, std::span<const std::byte> bytes) {
  return ReplaceFile(path, bytes);
}

namespace detail {

/// Constants with the same values as in <windows.h>.
namespace windows {
inline constexpr unsigned long kRead = 0x80000000,
                               kWrite = 0x40000000;    // GENERIC_READ, GENERIC_WRITE
inline constexpr unsigned long kShareAll = 1 | 2 | 4;  // FILE_SHARE_READ, WRITE and DELETE
inline constexpr unsigned long kCreateNew = 1, kOpenExisting = 3;  // CREATE_NEW, OPEN_EXISTING
inline constexpr unsigned long kNormal = 0x80;                     // FILE_ATTRIBUTE_NORMAL
inline constexpr unsigned long kFolder = 0x10,
                               kLink = 0x400;  // FILE_ATTRIBUTE_DIRECTORY, _REPARSE_POINT
inline constexpr unsigned long kNoAttributes = 0xFFFFFFFF;  // INVALID_FILE_ATTRIBUTES
inline constexpr unsigned long kOpensFolders = 0x02000000;  // FILE_FLAG_BACKUP_SEMANTICS
inline constexpr unsigned long kOnDisk = 1;                 // FILE_TYPE_DISK
inline constexpr unsigned long kReplace = 1,
                               kWriteThrough = 8;  // MOVEFILE_REPLACE_EXISTING, _WRITE_THROUGH
inline constexpr unsigned long kIgnoreMergeErrors =
    2 | 4;                                           // REPLACEFILE_IGNORE_MERGE_ERRORS, _ACL_ERRORS
inline constexpr unsigned kUtf8 = 65001;             // CP_UTF8
inline constexpr unsigned long kInvalidIsError = 8;  // MB_ERR_INVALID_CHARS
inline constexpr unsigned long kFileNotFound = 2, kPathNotFound = 3, kAccessDenied = 5,
                               kSharingViolation = 32, kLockViolation = 33, kFileExists = 80,
                               kInvalidParameter = 87, kDiskFull = 112, kInvalidName = 123,
                               kAlreadyExists = 183, kNameTooLong = 206, kIsFolder = 267,
                               kNoMemory = 8, kMapped = 1224, kBadUtf8 = 1113;
}  // namespace windows

class FileHandle {
 public:
  explicit FileHandle(void* handle = None()) : handle_(handle) {}
  ~FileHandle() { Close(); }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  static void* None() {
    return reinterpret_cast<void*>(~std::uintptr_t{0});
  }  // INVALID_HANDLE_VALUE

  bool IsOpen() const { return handle_ != None(); }
  void* get() const { return handle_; }
  void Reset(void* handle) {
    Close();
    handle_ = handle;
  }
  bool Close() { return !IsOpen() || ::CloseHandle(std::exchange(handle_, None())) != 0; }

 private:
  void* handle_;
};

/// Uses the same error texts as other systems, so that messages are the same everywhere.
inline Status IoError(const char* doing, const std::string& path, unsigned long error) {
  const auto words = [error]() -> std::string {
    switch (error) {
      case windows::kFileNotFound:
      case windows::kPathNotFound:
        return "No such file or directory";
      case windows::kAccessDenied:
        return "Permission denied";
      case windows::kSharingViolation:
      case windows::kLockViolation:
        return "another program has the file open";
      case windows::kMapped:
        return "a program has mapped the file into memory";
      case windows::kFileExists:
      case windows::kAlreadyExists:
        return "File exists";
      case windows::kDiskFull:
        return "No space left on device";
      case windows::kNameTooLong:
        return "File name too long";
      case windows::kIsFolder:
        return "Is a directory";
      case windows::kInvalidName:
        return "the file name contains a character that Windows does not allow";
      case windows::kBadUtf8:
        return "the file name is not valid UTF-8";
      case windows::kNoMemory:
        return "Cannot allocate memory";
      default:
        return "Windows error " + std::to_string(error);
    }
  };
  return {Status::Kind::Io, std::string(doing) + " " + path + ": " + words()};
}

/// Converts a path of any length to the form that Windows accepts. Returns 0, or the error code.
inline unsigned long WidePath(const std::string& path, std::wstring& wide) {
  // Longer paths need the prefix \\?\, which also disables conveniences such as forward slashes.
  constexpr std::size_t kPlain = 240;
  const int size = static_cast<int>((std::min)(path.size(), std::size_t{32767}));
  if (static_cast<std::size_t>(size) != path.size()) return windows::kNameTooLong;
  if (size == 0) return windows::kFileNotFound;
  wide.resize(path.size());
  const int length = ::MultiByteToWideChar(windows::kUtf8, windows::kInvalidIsError, path.data(),
                                           size, wide.data(), size);
  if (length <= 0) return windows::kBadUtf8;
  wide.resize(static_cast<std::size_t>(length));
  if (wide.compare(0, 4, L"\\\\?\\") == 0) return 0;
  std::replace(wide.begin(), wide.end(), L'/', L'\\');
  std::wstring full(std::size_t{32768}, L'\0');
  const unsigned long full_length = ::GetFullPathNameW(
      wide.c_str(), static_cast<unsigned long>(full.size()), full.data(), nullptr);
  if (full_length == 0) return ::GetLastError();
  if (full_length >= full.size()) return windows::kNameTooLong;
  if (full_length < kPlain) return 0;
  full.resize(full_length);
  wide = full.compare(0, 2, L"\\\\") == 0 ? L"\\\\?\\UNC" + full.substr(1) : L"\\\\?\\" + full;
  return 0;
}

/// Replaces `path` with the target of its symbolic links. Returns 0, or the error code. A link to a
/// missing file is an error.
inline unsigned long FollowLinks(std::wstring& path) {
  const unsigned long attributes = ::GetFileAttributesW(path.c_str());
  if (attributes == windows::kNoAttributes || (attributes & windows::kLink) == 0) return 0;
  const FileHandle target(::CreateFileW(path.c_str(), 0, windows::kShareAll, nullptr,
                                        windows::kOpenExisting, windows::kOpensFolders, nullptr));
  if (!target.IsOpen()) return ::GetLastError();
  std::wstring real(std::size_t{32768}, L'\0');
  const unsigned long length = ::GetFinalPathNameByHandleW(
      target.get(), real.data(), static_cast<unsigned long>(real.size()), 0);
  if (length == 0) return ::GetLastError();
  if (length >= real.size()) return windows::kNameTooLong;
  real.resize(length);
  path = real;
  return 0;
}

/// Creates a file with an unused name next to `path`. The name begins with the file name of `path`,
/// which is truncated if long. Returns 0, or the error code.
inline unsigned long CreateBeside(const std::wstring& path, std::wstring& temporary,
                                  FileHandle& file) {
  static std::atomic<unsigned> serial{0};
  const std::size_t slash = path.find_last_of(L'\\'), begin = slash == path.npos ? 0 : slash + 1;
  for (int tries = 0; tries < 100; ++tries) {
    temporary = path.substr(0, (std::min)(path.size(), begin + 150)) + L"." +
                std::to_wstring(::GetCurrentProcessId()) + L"-" + std::to_wstring(serial++) + L"-" +
                std::to_wstring(::GetTickCount64() % 1000000);
    file.Reset(::CreateFileW(temporary.c_str(), windows::kWrite, 0, nullptr, windows::kCreateNew,
                             windows::kNormal, nullptr));
    if (file.IsOpen()) return 0;
    const unsigned long error = ::GetLastError();
    if (error != windows::kFileExists && error != windows::kAlreadyExists) {
      temporary.clear();
      return error;
    }
  }
  temporary.clear();
  return windows::kFileExists;
}

/// Maximum number of bytes per call, because Windows counts them in 32 bits.
inline constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

inline unsigned long WriteAll(void* file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    unsigned long written = 0;
    if (::WriteFile(file, bytes.data(),
                    static_cast<unsigned long>((std::min)(bytes.size(), kMostAtOnce)), &written,
                    nullptr) == 0)
      return ::GetLastError();
    bytes = bytes.subspan(written);
  }
  return 0;
}

/// Moves a file over an existing one, or to a new name. Retries for up to a second, because Windows
/// does not replace open files, and virus scanners and indexers briefly open files. Returns 0, or
/// the error code.
inline unsigned long MoveOver(const std::wstring& from, const std::wstring& to, bool exists) {
  for (int tries = 0;; ++tries) {
    // ReplaceFileW keeps the attributes and permissions of the old file. If the file system does
    // not support ReplaceFileW, rename the file instead.
    if (exists && ::ReplaceFileW(to.c_str(), from.c_str(), nullptr, windows::kIgnoreMergeErrors,
                                 nullptr, nullptr) != 0)
      return 0;
    const unsigned long replace_error = exists ? ::GetLastError() : 0;
    const bool is_open =
        replace_error == windows::kSharingViolation || replace_error == windows::kAccessDenied;
    if (!is_open &&
        ::MoveFileExW(from.c_str(), to.c_str(), windows::kReplace | windows::kWriteThrough) != 0)
      return 0;
    const unsigned long error = is_open ? replace_error : ::GetLastError();
    if ((error != windows::kSharingViolation && error != windows::kAccessDenied) || tries == 20)
      return error;
    ::Sleep(50);
  }
}

/// Implements ReplaceFile() (save_file.h). `path` must not contain a zero byte.
inline Status ReplaceOnDisk(const std::string& path, std::span<const std::byte> bytes) {
  std::wstring real, temporary;
  unsigned long error = WidePath(path, real);
  if (error == 0) error = FollowLinks(real);
  if (error != 0) return IoError("writing", path, error);
  const unsigned long attributes = ::GetFileAttributesW(real.c_str());
  const bool exists = attributes != windows::kNoAttributes;
  if (exists && (attributes & windows::kFolder) != 0)
    return IoError("writing", path, windows::kIsFolder);
  FileHandle file;
  if (exists) {
    file.Reset(::CreateFileW(real.c_str(), 0, windows::kShareAll, nullptr, windows::kOpenExisting,
                             windows::kNormal, nullptr));
    if (file.IsOpen() && ::GetFileType(file.get()) != windows::kOnDisk)
      return {Status::Kind::Io, "writing " + path + ": not a regular file"};
  }
  error = CreateBeside(real, temporary, file);
  if (error == 0) error = WriteAll(file.get(), bytes);
  if (error == 0 && ::FlushFileBuffers(file.get()) == 0) error = ::GetLastError();
  if (!file.Close() && error == 0) error = ::GetLastError();
  if (error == 0) error = MoveOver(temporary, real, exists);
  if (error == 0) return {};
  if (!temporary.empty()) ::DeleteFileW(temporary.c_str());
  return IoError("writing", path, error);
}

/// False if `size` bytes cannot possibly fit in the machine's memory, so there is no point in
/// trying to read them.
inline bool FitsMemory(std::uint64_t size) {
  struct {
    unsigned long length, load;
    unsigned long long physical, rest[6];
  } memory{sizeof memory, 0, 0, {}};  // MEMORYSTATUSEX
  return ::GlobalMemoryStatusEx(reinterpret_cast<_MEMORYSTATUSEX*>(&memory)) == 0 ||
         size < memory.physical;
}

inline unsigned long LastError() { return ::GetLastError(); }
inline constexpr unsigned long kOutOfMemory = windows::kNoMemory;

/// A regular file open for reading. Other programs may replace or delete the file while it is open.
class InputFile {
 public:
  /// Returns an Io status if the file is missing or not a regular file. `path` must not contain a
  /// zero byte.
  Status Open(const std::string& path) {
    std::wstring wide;
    if (const unsigned long error = WidePath(path, wide); error != 0)
      return IoError("opening", path, error);
    file_.Reset(::CreateFileW(wide.c_str(), windows::kRead, windows::kShareAll, nullptr,
                              windows::kOpenExisting, windows::kNormal, nullptr));
    if (!file_.IsOpen()) {
      const unsigned long error = ::GetLastError(), attributes = ::GetFileAttributesW(wide.c_str());
      if (attributes != windows::kNoAttributes && (attributes & windows::kFolder) != 0)
        return IoError("reading", path, windows::kIsFolder);
      return IoError("opening", path, error);
    }
    if (::GetFileType(file_.get()) != windows::kOnDisk)
      return {Status::Kind::Io, "reading " + path + ": not a regular file"};
    long long size = 0;
    if (::GetFileSizeEx(file_.get(), reinterpret_cast<_LARGE_INTEGER*>(&size)) == 0)
      return IoError("reading", path, ::GetLastError());
    size_ = size > 0 ? static_cast<std::uint64_t>(size) : 0;
    return {};
  }
  /// Returns the size that the file had when it was opened.
  std::uint64_t size() const { return size_; }
  void* handle() const { return file_.get(); }

  /// Reads up to `to.size()` bytes. Sets `count` to the number of bytes read, which is 0 at the end
  /// of the file. On failure, returns false, and GetLastError() returns the error code.
  bool Read(std::span<std::byte> to, std::size_t& count) {
    unsigned long read = 0;
    const unsigned long wanted = static_cast<unsigned long>((std::min)(to.size(), kMostAtOnce));
    const bool fine = ::ReadFile(file_.get(), to.data(), wanted, &read, nullptr) != 0;
    count = read;
    return fine;
  }

 private:
  FileHandle file_;
  std::uint64_t size_ = 0;
};

}  // namespace detail
}  // namespace revctl
