#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"

namespace revctl::config {

/// Largest list or configuration that is read at all (bytes). Real lists stay below 1 MB.
inline constexpr std::size_t kMaxListBytes = std::size_t{128} << 20;
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// The whole file; nullopt where there is none (an ordinary answer). A directory, a file that
/// cannot be read or one above `limit` bytes is an Error.
base::Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);

/// Replaces `path` as a whole or not at all: temporary file beside it, fsync, rename, fsync of the
/// folder. The mode of an existing file stays; `mode` is that of a new one. A symbolic link stays a
/// link, what it names is replaced.
base::Result<base::Done> ReplaceFile(const std::string& path, std::string_view bytes,
                                     unsigned mode = 0644);

/// An Error where `path`, `name` in messages, is a symbolic link: writing would change what it
/// names, which may be anybody's file.
base::Result<base::Done> RefuseLink(const std::string& path, const std::string& name);

/// Could `path` be replaced now? Tried with an empty file beside it, which is removed again; where
/// the list cannot be written no number is taken for it.
base::Result<base::Done> ProbeReplace(const std::string& path);

/// Held by one process at a time; the others wait. The system gives it back when the process ends,
/// killed ones too.
class FileLock {
 public:
  /// Creates `path` where it is missing; the file stays, and names the process that had it last.
  /// Whoever waits for longer than a second hears of it once through `waiting`, which is given that
  /// process; after `limit` it is Exit::Environment: the holder may be stopped for good.
  static base::Result<FileLock> Take(const std::string& path,
                                     const std::function<void(const std::string& holder)>& waiting,
                                     std::chrono::milliseconds limit = kPatience);
  /// Longer than any command of revctl's holds it while it gets on.
  static constexpr std::chrono::minutes kPatience{11};
  FileLock(FileLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

/// `path` with links resolved, as far as it exists; the rest is kept as it is. Empty where that is
/// impossible.
std::string ResolvedPath(const std::string& path);

}  // namespace revctl::config
