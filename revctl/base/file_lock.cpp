#include "revctl/base/file_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <thread>

namespace revctl::base {
namespace {

/// Returns "process 4711", or "another process" if the lock file contains no process id yet.
std::string Holder(int file) {
  char text[16] = {};
  const ssize_t size = ::pread(file, text, sizeof text - 1, 0);
  const std::string_view number(
      text, std::min<std::size_t>(std::string_view(text).find_first_not_of("0123456789"),
                                  size > 0 ? static_cast<std::size_t>(size) : 0));
  return number.empty() ? "another process" : "process " + std::string(number);
}

}  // namespace

Result<FileLock> FileLock::Take(const std::string& path,
                                const std::function<void(const std::string& holder)>& waiting,
                                std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return InMessage(SystemError(path, "cannot be opened"));
  const auto begin = Clock::now();
  bool told = false;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return InMessage(SystemError(path, "cannot be locked"));
    const auto waited = Clock::now() - begin;
    if (waited >= limit)
      return Error{Exit::Environment,
                   fmt::format("{} is still locked by {}", path, Holder(file.get())),
                   "wait for that process or end it, then try again"};
    if (!told && waited >= std::chrono::seconds(1)) {
      told = true;
      waiting(Holder(file.get()));
    }
    // Poll the lock, because flock() has no timeout.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::string holder = std::to_string(::getpid()) + "\n";
  // The process id is only used in messages, so failing to write it is harmless.
  if (::ftruncate(file.get(), 0) == 0) (void)!::pwrite(file.get(), holder.data(), holder.size(), 0);
  return FileLock(std::move(file));
}

Result<FileLock> FileLock::TakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return FileError(folder, 0, "cannot be created: " + error.message(),
                     SystemMend(error.value(), folder));
  }
  Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0) return SystemError(folder, "cannot be opened");
  while (::flock(file.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return SystemError(folder, "cannot be locked");
  }
  return FileLock(std::move(file));
}

}  // namespace revctl::base
