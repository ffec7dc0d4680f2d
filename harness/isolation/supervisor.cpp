#include "harness/isolation/supervisor.h"

#include <fcntl.h>
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
  limit.rlim_cur = std::min(limit.rlim_cur, wanted);  // RLIM_INFINITY is the largest number
  (void)::setrlimit(RLIMIT_AS, &limit);
  blamed = &refused;
  std::set_new_handler([] {
    *blamed = true;
    std::set_new_handler(nullptr);
  });
}

namespace {

using namespace std::chrono_literals;

/// True if the main thread is sleeping or stopped, rather than running, in disk wait or traced.
bool Sleeps(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");  // the process name may contain anything
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  return text[name_end + 2] == 'S' || text[name_end + 2] == 'T';
}

/// Returns the CPU time of all threads of the process.
std::optional<std::chrono::nanoseconds> Computed(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Measures how long a process has been idle, that is, sleeping or stopped at every check while its
/// threads use hardly any CPU time. A process that gets no CPU on a busy machine is not idle.
/// Without /proc, no process counts as idle.
class IdleWatch {
 public:
  explicit IdleWatch(pid_t process) : process_(process) {}

  /// Returns the idle time. Callers must call this function a few times per second.
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
  // The watcher itself may have been stopped together with the process.
  waited_ = idle ? waited_ + std::min<Duration>(passed, 1s) : Duration{0};
  return waited_;
}

}  // namespace

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLook = 100;  // milliseconds between two looks at the child's current step

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

/// Redirects the output of bodies to `output`. Also makes the child die with its parent, because a
/// body may hang.
void BecomeChild(pid_t parent, int output) {
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close(output);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl
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
  int ends[2], output[2];
  if (::pipe(ends) != 0) return false;
  if (::pipe(output) != 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return false;
  }
  ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  answer_.clear();
  printed_.clear();
  std::fflush(nullptr);  // otherwise the child would print buffered output again
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    ::close(output[0]);
    BecomeChild(parent, output[1]);
    [&]() noexcept { WriteAll(ends[1], work()); }();
    ::_exit(0);
  }
  ::close(ends[1]);  // the child has the other copy
  ::close(output[1]);
  pipe_ = ends[0];
  output_ = output[0];
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
      do {  // read the rest of the answer; a grandchild may keep the pipe open
        before = answer_.size();
        Read(0);
      } while (pipe_ >= 0 && answer_.size() != before);
      ReadPrinted();
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

/// Waits at most `most_milliseconds` for the child's answer or output and reads what is available.
/// If the child has closed the pipe for its answer, waits only briefly.
void Supervisor::Read(int most_milliseconds) {
  pollfd readable[] = {{pipe_, POLLIN, 0}, {output_, POLLIN, 0}};
  if (pipe_ < 0) {
    ::usleep(1000);
    ReadPrinted();
    return;
  }
  if (::poll(readable, output_ < 0 ? 1 : 2, most_milliseconds) <= 0) return;
  if (output_ >= 0 && readable[1].revents != 0) ReadPrinted();
  if (readable[0].revents != 0) {
    char buffer[1U << 16];
    const ssize_t got = ::read(pipe_, buffer, sizeof buffer);
    if (got > 0) answer_.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) Close();
  }
}

/// Reads the available output without waiting. Continues beyond kMostPrinted, so that the child
/// never blocks on a full pipe.
void Supervisor::ReadPrinted() {
  char buffer[1U << 12];
  while (output_ >= 0) {
    const ssize_t got = ::read(output_, buffer, sizeof buffer);
    if (got == 0) {
      ::close(output_);
      output_ = -1;
    }
    if (got <= 0) return;
    const std::size_t room = kMostPrinted - std::min(kMostPrinted, printed_.size());
    printed_.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  }
}

void Supervisor::Close() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  if (child_ >= 0) return;
  if (output_ >= 0) ::close(output_);
  output_ = -1;
}

/// Kills the child, even if it is stopped.
Ending Supervisor::Kill() {
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  ReadPrinted();
  Close();
  return {Ending::How::Hangs, 0};
}

}  // namespace revctl::harness
