#pragma once
// Helpers for the Windows code in this folder and in harness/isolation.
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/base/system/process.h"

namespace revctl::base::windows {

/// Owns a Windows handle. `get()` is nullptr if there is none.
class Handle {
 public:
  explicit Handle(HANDLE handle = nullptr)
      : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { Close(); }
  HANDLE get() const { return handle_; }
  HANDLE Release() { return std::exchange(handle_, nullptr); }
  void Close() {
    if (handle_ != nullptr) ::CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_;
};

/// Converts UTF-8 to UTF-16. Invalid bytes become U+FFFD.
std::wstring Wide(std::string_view text);
std::string Utf8(std::wstring_view text);
/// Returns the path in a form that Windows accepts at any length.
std::wstring WidePath(std::string_view path);
/// Returns a path in this project's form: UTF-8 with slashes, and without the long-path prefix.
std::string PlainPath(std::wstring_view path);
/// Sets errno to the equivalent of a Windows error, and returns false.
bool FailWith(DWORD error);

/// The two ends of a pipe.
struct Pipe {
  Handle read, write;
  /// Opens a pipe. A new program inherits only the end that is not `ours`.
  bool Open(Handle Pipe::*ours);
};

/// The handles that a new program inherits.
struct Inherited {
  HANDLE in = nullptr, out = nullptr, err = nullptr;
  std::vector<HANDLE> others{};
};

/// Starts a program that inherits only these handles. If `job` is not null, the program is in this
/// job object from its first instruction on. Returns the process handle; on failure, sets errno and
/// returns a null handle.
Handle Spawn(const std::vector<std::string>& argv, const ProcessOptions& options,
             const Inherited& handles, HANDLE job = nullptr);

}  // namespace revctl::base::windows
