// A library for LD_PRELOAD that counts the program's calls that modify files on disk. It kills the
// program with SIGKILL right before call number KILL_AT, so a test can kill the program at every
// possible point. From call number FULL_AT on, it simulates a full disk: nothing can be written or
// created.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

pid_t main_process = 0;  // child processes only read files and write to pipes
long left = 0;           // number of calls until the program is killed; 0 means never
long room = 0;           // number of calls until the disk is full; 0 means never, 1 means now

long Number(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::atol(value) : 0;
}

[[gnu::constructor]] void Begin() {
  main_process = ::getpid();
  left = Number("KILL_AT");
  room = Number("FULL_AT");
}

void Count() {
  if (left == 0 || ::getpid() != main_process) return;
  if (--left == 0) ::raise(SIGKILL);
}

/// Counts a call that needs space. Returns true if the disk is full.
bool IsFull() {
  if (room == 0 || ::getpid() != main_process) return false;
  if (room > 1) {
    --room;
    return false;
  }
  errno = ENOSPC;
  return true;
}

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int Open(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & O_CREAT) != 0) {
    Count();
    if (::access(path, F_OK) != 0 && IsFull()) return -1;
  }
  return Real<int(const char*, int, ...)>(name)(path, flags, mode);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return Open("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return Open("open64", path, flags, mode);
}
/// Writes half of the bytes before killing the process.
ssize_t write(int file, const void* bytes, size_t size) {
  const auto real = Real<ssize_t(int, const void*, size_t)>("write");
  if (file <= STDERR_FILENO) return real(file, bytes, size);
  if (left == 1 && ::getpid() == main_process) (void)real(file, bytes, size / 2);
  Count();
  return IsFull() ? -1 : real(file, bytes, size);
}
int fsync(int file) {
  Count();
  return Real<int(int)>("fsync")(file);
}
int rename(const char* from, const char* to) noexcept {
  Count();
  return Real<int(const char*, const char*)>("rename")(from, to);
}
int unlink(const char* path) noexcept {
  Count();
  return Real<int(const char*)>("unlink")(path);
}
int remove(const char* path) noexcept {
  Count();
  return Real<int(const char*)>("remove")(path);
}
int mkdir(const char* path, mode_t mode) noexcept {
  Count();
  if (IsFull()) return -1;
  return Real<int(const char*, mode_t)>("mkdir")(path, mode);
}

}  // extern "C"
