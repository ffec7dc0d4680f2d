#include "revctl/base/system/shared_windows.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cwchar>

namespace revctl::base::windows {

std::wstring Wide(std::string_view text) {
  std::wstring wide(text.size(), L'\0');
  const int length = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()),
                                           wide.data(), static_cast<int>(wide.size()));
  wide.resize(static_cast<std::size_t>(std::max(length, 0)));
  return wide;
}

std::string Utf8(std::wstring_view text) {
  std::string bytes(text.size() * 3, '\0');
  const int length =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), bytes.data(),
                            static_cast<int>(bytes.size()), nullptr, nullptr);
  bytes.resize(static_cast<std::size_t>(std::max(length, 0)));
  return bytes;
}

std::wstring WidePath(std::string_view path) {
  // Maximum length of a path without the prefix \\?\. Paths of 260 characters and more need the
  // prefix, which also disables slashes and relative paths. The lower limit leaves room for the
  // names of temporary files in the same folder.
  constexpr std::size_t kPlain = 200;
  std::wstring wide = Wide(path);
  std::replace(wide.begin(), wide.end(), L'/', L'\\');
  if (wide.starts_with(L"\\\\?\\")) return wide;
  std::wstring full(std::size_t{32768}, L'\0');
  const DWORD length =
      ::GetFullPathNameW(wide.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr);
  if (length < kPlain || length >= full.size()) return wide;
  full.resize(length);
  return full.starts_with(L"\\\\") ? L"\\\\?\\UNC" + full.substr(1) : L"\\\\?\\" + full;
}

std::string PlainPath(std::wstring_view path) {
  std::wstring plain(path);
  if (plain.starts_with(L"\\\\?\\UNC\\")) plain.replace(0, 7, L"\\");
  else if (plain.starts_with(L"\\\\?\\")) plain.erase(0, 4);
  std::replace(plain.begin(), plain.end(), L'\\', L'/');
  return Utf8(plain);
}

bool FailWith(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
      errno = EACCES;
      break;
    case ERROR_WRITE_PROTECT:
      errno = EROFS;
      break;
    case ERROR_SHARING_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
      errno = ETXTBSY;
      break;
    case ERROR_LOCK_VIOLATION:
    case ERROR_IO_PENDING:
      errno = EWOULDBLOCK;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_NOT_SAME_DEVICE:
      errno = EXDEV;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    case ERROR_FILENAME_EXCED_RANGE:
      errno = ENAMETOOLONG;
      break;
    case ERROR_BAD_EXE_FORMAT:
      errno = ENOEXEC;
      break;
    default:
      errno = EIO;
  }
  return false;
}

}  // namespace revctl::base::windows

#ifdef __MINGW32__
extern "C" {

/// Tells MinGW's startup code not to expand `*` in arguments.
extern int _CRT_glob;
int _CRT_glob = 0;

/// Replaces MinGW's function, which libstdc++ calls to convert paths, but which cannot convert
/// UTF-8 under any code page. The linker's --wrap gives this name to all calls, because a second
/// definition of mbrtowc would clash with MinGW's object, which also defines mbrlen. Invalid bytes
/// become U+FFFD, so that no path throws. A character outside the basic plane takes two calls: the
/// first consumes three bytes and returns the first half of the surrogate pair, and the second
/// consumes the last byte and returns the second half, which `state` stores.
std::size_t __wrap_mbrtowc(wchar_t* to, const char* from, std::size_t size, std::mbstate_t* state) {
  static thread_local std::mbstate_t own{};
  std::mbstate_t& half = state != nullptr ? *state : own;
  wchar_t ignored = 0;
  wchar_t& out = to != nullptr ? *to : ignored;
  if (from == nullptr) {
    half = {};
    return 0;
  }
  if (size == 0) return static_cast<std::size_t>(-2);
  if (half != 0) {
    out = static_cast<wchar_t>(half);
    half = {};
    return 1;
  }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(from[at]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    out = static_cast<wchar_t>(lead);
    return lead == 0 ? 0 : 1;
  }
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  char32_t code = length == 0 ? 0 : lead & (0xFFU >> (length + 1));
  bool valid = length != 0 && length <= size;
  for (std::size_t at = 1; valid && at < length; ++at) {
    valid = (byte(at) & 0xC0) == 0x80;
    code = code << 6 | (byte(at) & 0x3F);
  }
  if (!valid || code > 0x10FFFF || (length > 2 && code < (length == 3 ? 0x800U : 0x10000U)) ||
      (code >= 0xD800 && code < 0xE000)) {
    out = 0xFFFD;
    return 1;
  }
  if (code < 0x10000) {
    out = static_cast<wchar_t>(code);
    return length;
  }
  code -= 0x10000;
  out = static_cast<wchar_t>(0xD800 + (code >> 10));
  half = static_cast<std::mbstate_t>(0xDC00 + (code & 0x3FF));
  return 3;
}

}  // extern "C"
#endif
