#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "revctl/base/file.h"

namespace revctl::base {

/// Held by one process at a time; the others wait. The system gives it back when the process ends,
/// killed ones too.
class FileLock {
 public:
  /// Creates `path` where it is missing; the file stays, and names the process that had it last.
  /// After a second of waiting `waiting` is called once, with that process. After `limit` it is
  /// Exit::Environment: the holder may be stopped for good.
  static Result<FileLock> Take(const std::string& path,
                               const std::function<void(const std::string& holder)>& waiting,
                               std::chrono::milliseconds limit = kPatience);
  /// Longer than any command of revctl's holds it while it gets on.
  static constexpr std::chrono::minutes kPatience{11};

  /// Held by a process that waits for this one: nothing is locked, and nothing given back.
  static FileLock OfCaller() { return FileLock(Descriptor(-1)); }

  /// Of a folder, while a process writes into it; creates it where it is missing. Waits without a
  /// limit.
  static Result<FileLock> TakeFolder(const std::string& folder);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace revctl::base
