#include "harness/isolation/child_process.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>

#include "harness/isolation/idle_watch.h"
#include "harness/trace/progress.h"

namespace revctl::harness {
namespace {

void WriteAll(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

constexpr int kLook = 250;  // milliseconds between looks at what the child is about to run

}  // namespace

/// What parent and child both see.
struct ChildProcess::Shared {
  char text[Progress::kTextSize] = {};
  CrashBreadcrumb visit;
};

ChildProcess::ChildProcess() {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) shared_ = new (memory) Shared;
}

std::string ChildProcess::last() const { return shared_->text; }
const CrashBreadcrumb& ChildProcess::visit() const { return shared_->visit; }

ChildProcess::~ChildProcess() {
  if (child_ >= 0) (void)Finish();
  if (shared_ != nullptr) ::munmap(shared_, sizeof(Shared));
}

bool ChildProcess::Start(const std::set<std::string>& left_out,
                         const std::function<std::string()>& work, const TimeLimits& limits) {
  int ends[2];
  limits_ = limits;
  if (::pipe(ends) != 0) return false;
  shared_ = new (shared_) Shared;
  std::fflush(nullptr);  // or the child would say it again
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    Progress::Install(shared_->text, left_out, limits.core);
    CrashBreadcrumb::NoteIn(&shared_->visit);
    WriteAll(ends[1], work());
    ::_exit(0);
  }
  ::close(ends[1]);
  if (child_ < 0) {
    ::close(ends[0]);
    return false;
  }
  answer_ = ends[0];
  return true;
}

/// All that the child answers; nothing, and no child, where it stood at one thing for too long.
std::optional<std::string> ChildProcess::Read() {
  using Clock = std::chrono::steady_clock;
  std::string bytes, before = last();
  Clock::time_point since = Clock::now();
  IdleWatch waiting(child_);
  char buffer[1U << 16];
  for (;;) {
    pollfd readable{answer_, POLLIN, 0};
    if (::poll(&readable, 1, kLook) > 0) {
      const ssize_t got = ::read(answer_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return bytes;
      bytes.append(buffer, static_cast<std::size_t>(got));
    }
    if (std::string now = last(); now != before) {
      before = std::move(now);
      since = Clock::now();
      waiting.Forget();
    } else if ((limits_.wall > 0 && Clock::now() - since > std::chrono::seconds(limits_.wall)) ||
               (limits_.idle > 0 && waiting.Look() > std::chrono::seconds(limits_.idle))) {
      ::kill(child_, SIGKILL);  // which also ends one that was stopped
      return std::nullopt;
    }
  }
}

std::optional<std::string> ChildProcess::Finish() {
  std::optional<std::string> bytes = Read();
  ::close(answer_);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (!bytes) {
    ending_ = kHangs;
    return std::nullopt;
  }
  if (!WIFSIGNALED(status)) {
    ending_ = "exit status " + std::to_string(WEXITSTATUS(status));
    if (WEXITSTATUS(status) == 0 && !bytes->empty()) return bytes;
  } else if (WTERMSIG(status) == SIGPROF) {
    ending_ = kHangs;
  } else {
    ending_ = "signal " + std::to_string(WTERMSIG(status));
  }
  return std::nullopt;
}

}  // namespace revctl::harness
