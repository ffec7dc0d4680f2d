#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "revctl/base/result.h"
#include "revctl/base/system/files.h"

namespace revctl::base {

/// A lock that only one process can hold at a time. The operating system releases it when the
/// process ends.
class FileLock {
 public:
  /// Locks the file `path`, creating it if it is missing. The file is never removed; it contains
  /// the process id of the last process that held the lock. After waiting for a second, calls
  /// `waiting` once with a description of the holder. Fails with Exit::Environment after `limit`,
  /// because the holder may be suspended.
  static Result<FileLock> Take(const std::string& path,
                               const std::function<void(const std::string& holder)>& waiting,
                               std::chrono::milliseconds limit = kPatience);
  /// Default time to wait for a lock. It is longer than any revctl command takes, so a lock held
  /// for this long is stuck.
  static constexpr std::chrono::minutes kPatience{11};

  /// Returns a placeholder for a lock that the parent process holds while it waits for this
  /// process. Destroying the placeholder releases nothing.
  static FileLock OfCaller() { return FileLock(Descriptor(-1)); }

  /// Locks a folder for writing, creating the folder if it is missing. Waits without a limit.
  static Result<FileLock> TakeFolder(const std::string& folder);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace revctl::base
