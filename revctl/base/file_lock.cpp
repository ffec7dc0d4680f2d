#include "revctl/base/file_lock.h"

#include <fmt/core.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <thread>

#include "revctl/base/file.h"

namespace revctl::base {
namespace {

/// Returns "process 4711", or "another process" if the lock file contains no process id yet.
std::string Holder(const std::string& path) {
  const Descriptor file = OpenToRead(path);
  const std::string text = file.IsOpen() ? ReadUpTo(file.get(), 15).value_or("") : "";
  const std::string number = text.substr(0, text.find_first_not_of("0123456789"));
  return number.empty() ? "another process" : "process " + number;
}

}  // namespace

Result<FileLock> FileLock::Take(const std::string& path,
                                const std::function<void(const std::string& holder)>& waiting,
                                std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  Descriptor file = OpenLock(path);
  if (!file.IsOpen()) return InMessage(SystemError(path, "cannot be opened"));
  const auto begin = Clock::now();
  bool told = false;
  while (!TryLock(file.get())) {
    if (errno != EWOULDBLOCK) return InMessage(SystemError(path, "cannot be locked"));
    const auto waited = Clock::now() - begin;
    if (waited >= limit)
      return Error{Exit::Environment, fmt::format("{} is still locked by {}", path, Holder(path)),
                   "wait for that process to finish, or end it, then try again"};
    if (!told && waited >= std::chrono::seconds(1)) {
      told = true;
      waiting(Holder(path));
    }
    // Poll the lock, because flock() has no timeout.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // The process id serves only for messages, so a failure to write it is harmless.
  (void)ReplaceContent(file.get(), std::to_string(ProcessNumber()) + "\n");
  return FileLock(std::move(file));
}

Result<FileLock> FileLock::TakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return FileError(folder, 0, "cannot be created: " + error.message(),
                     SystemFix(error.default_error_condition().value(), folder));
  }
  Descriptor file = OpenFolderLock(folder);
  if (!file.IsOpen()) return SystemError(folder, "cannot be opened");
  if (!Lock(file.get())) return SystemError(folder, "cannot be locked");
  return FileLock(std::move(file));
}

}  // namespace revctl::base
