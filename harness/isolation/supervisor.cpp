#include "harness/isolation/supervisor.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace revctl::harness {
namespace {

std::atomic<bool>* blamed = nullptr;

}  // namespace

void LimitMemory(std::size_t most, std::atomic<bool>& refused) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  if (pages == 0 || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t wanted = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + most;
  limit.rlim_cur = std::min(limit.rlim_cur, wanted);  // "as much as it likes" is the largest number
  (void)::setrlimit(RLIMIT_AS, &limit);
  blamed = &refused;
  std::set_new_handler([] {
    *blamed = true;
    std::set_new_handler(nullptr);
  });
}

namespace {

using namespace std::chrono_literals;

/// Whether its first thread neither computes, nor is about to, nor waits for a disk or a debugger.
bool Sleeps(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");  // the name may hold anything
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  return text[name_end + 2] == 'S' || text[name_end + 2] == 'T';
}

/// What all its threads have computed.
std::optional<std::chrono::nanoseconds> Computed(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// For how long a process has only waited: it sleeps or is stopped at each look, and its
/// threads together compute next to nothing. One that a busy machine keeps from computing does not
/// wait. Where the system cannot tell (it has no /proc), nothing ever waits.
class IdleWatch {
 public:
  explicit IdleWatch(pid_t process) : process_(process) {}

  /// To be called a few times a second.
  std::chrono::steady_clock::duration Waited();
  void Forget() { *this = IdleWatch(process_); }

 private:
  using Duration = std::chrono::steady_clock::duration;
  pid_t process_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds computed_{0};
  Duration waited_{0};
};

std::chrono::steady_clock::duration IdleWatch::Waited() {
  const auto now = std::chrono::steady_clock::now();
  const Duration passed = now - std::exchange(looked_, now);
  const auto computed = Computed(process_);
  const bool idle = computed && *computed - std::exchange(computed_, *computed) < passed / 100 &&
                    Sleeps(process_);
  // The watcher may have been stopped itself, and the process with him.
  waited_ = idle ? waited_ + std::min<Duration>(passed, 1s) : Duration{0};
  return waited_;
}

}  // namespace

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLook = 100;  // milliseconds between looks at what the child is about to run

void WriteAll(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

Ending EndingOf(int status) {
  if (WIFSIGNALED(status)) return {Ending::How::Signal, WTERMSIG(status)};
  const int number = WEXITSTATUS(status);
  return {number == 0 ? Ending::How::Well : Ending::How::Status, number};
}

/// What a body prints is talk: stdout is for results. And where this process is killed, its child,
/// which may hang, ends as well.
void BecomeChild(pid_t parent) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // killed before that call
#else
  (void)parent;
#endif
}

bool Passed(std::chrono::milliseconds limit, Clock::duration time) {
  return limit.count() > 0 && time > limit;
}

}  // namespace

Supervisor::~Supervisor() {
  if (running()) (void)Kill();
}

bool Supervisor::Start(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  answer_.clear();
  std::fflush(nullptr);  // or the child would say it again
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    BecomeChild(parent);
    [&]() noexcept { WriteAll(ends[1], work()); }();
    ::_exit(0);
  }
  ::close(ends[1]);  // the other copy goes with the child
  pipe_ = ends[0];
  if (child_ < 0) Close();
  return running();
}

Ending Supervisor::Finish(const std::function<bool()>& moved, const WatchLimits& limits) {
  IdleWatch idle(child_);
  Clock::time_point since = Clock::now();
  (void)moved();
  for (int status = 0;;) {
    Read(kLook);
    const pid_t ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == child_) {
      std::size_t before = 0;
      do {  // what is left of its answer; a child of its own may hold the pipe open
        before = answer_.size();
        Read(0);
      } while (pipe_ >= 0 && answer_.size() != before);
      child_ = -1;
      Close();
      return EndingOf(status);
    }
    if (moved()) {
      since = Clock::now();
      idle.Forget();
    } else if (Passed(limits.wall, Clock::now() - since) ||
               (limits.idle.count() > 0 && Passed(limits.idle, idle.Waited()))) {
      return Kill();
    }
  }
}

/// Takes what the child has answered since. Without a pipe, which the child may have closed, this
/// only waits a little.
void Supervisor::Read(int most_milliseconds) {
  pollfd readable{pipe_, POLLIN, 0};
  if (pipe_ < 0) {
    ::usleep(1000);
  } else if (::poll(&readable, 1, most_milliseconds) > 0) {
    char buffer[1U << 16];
    const ssize_t got = ::read(pipe_, buffer, sizeof buffer);
    if (got > 0) answer_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) Close();
  }
}

void Supervisor::Close() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
}

/// Also ends a child that was stopped.
Ending Supervisor::Kill() {
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  Close();
  return {Ending::How::Hangs, 0};
}

}  // namespace revctl::harness
