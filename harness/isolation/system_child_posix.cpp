#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "harness/isolation/system_child.h"
#include "revctl/base/system/process.h"

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

Ending EndingOf(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    // SIGPROF ends a process that has used up its CPU time.
    return {signal == SIGPROF ? Ending::How::Hangs : Ending::How::Signal, signal};
  }
  const int number = WEXITSTATUS(status);
  return {number == 0 ? Ending::How::Well : Ending::How::Status, number};
}

/// Redirects the output of bodies to `output`. Also makes the child die with its parent, because a
/// body may hang.
void BecomeChild(pid_t parent, int output) {
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close(output);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl
}

void CloseFile(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

}  // namespace

std::string EndingWords(const Ending& ending) {
  return fmt::format("{} {}", ending.how == Ending::How::Signal ? "signal" : "exit status",
                     ending.number);
}

SharedBytes::SharedBytes(std::size_t size) : size_(size) {
  const int file = ::memfd_create("revctl", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(size)) != 0) return;
  handle_ = static_cast<std::uint64_t>(file);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) bytes_ = static_cast<std::byte*>(memory);
}

SharedBytes::SharedBytes(std::uint64_t handle, std::size_t size) : size_(size), handle_(handle) {
  void* memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(handle), 0);
  if (memory != MAP_FAILED) bytes_ = static_cast<std::byte*>(memory);
}

SharedBytes::~SharedBytes() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
  if (const int file = static_cast<int>(handle_); file > STDERR_FILENO) ::close(file);
}

struct SystemChild::System {
  pid_t child = -1;
  int answer = -1, output = -1;

  void Close() {
    CloseFile(answer);
    if (child < 0) CloseFile(output);
  }
  template <class Work>
  bool Start(const Work& work);
  void Read(int most_milliseconds, std::string& answered, std::string& printed);
  void ReadPrinted(std::string& printed);
};

/// Forks. The fork calls `work` with the write end of the pipe for its answer, and ends if `work`
/// returns.
template <class Work>
bool SystemChild::System::Start(const Work& work) {
  int ends[2], outputs[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  if (::pipe2(outputs, O_CLOEXEC) != 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return false;
  }
  ::fcntl(outputs[0], F_SETFL, O_NONBLOCK);
  std::fflush(nullptr);  // otherwise the child would print buffered output again
  const pid_t parent = ::getpid();
  child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::close(outputs[0]);
    BecomeChild(parent, outputs[1]);
    [&]() noexcept { work(ends[1]); }();
    ::_exit(0);
  }
  ::close(ends[1]);  // the child keeps its own copy of this descriptor
  ::close(outputs[1]);
  answer = ends[0];
  output = outputs[0];
  if (child < 0) Close();
  return child >= 0;
}

SystemChild::SystemChild() : system_(std::make_unique<System>()) {}

SystemChild::~SystemChild() {
  if (running()) Kill();
}

bool SystemChild::Forks() {
  // With `start`, tests on Linux run children as Windows does.
  const char* const how = std::getenv("REVCTL_ISOLATION");
  return how == nullptr || std::string_view(how) != "start";
}

bool SystemChild::running() const { return system_->child >= 0; }

bool SystemChild::Fork(const std::function<std::string()>& work) {
  return system_->Start([&](int answer) { WriteAll(answer, work()); });
}

bool SystemChild::StartProgram(const SharedBytes& request, const SharedBytes& memory) {
  return system_->Start([&](int answer) {
    std::vector<std::string> words = {base::OwnProgram(), "--isolated-job", std::to_string(answer)};
    ::fcntl(answer, F_SETFD, 0);  // otherwise execv would close it
    for (const SharedBytes* bytes : {&request, &memory}) {
      words.push_back(std::to_string(bytes->handle()));
      words.push_back(std::to_string(bytes->size()));
      ::fcntl(static_cast<int>(bytes->handle()), F_SETFD, 0);
    }
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv("/proc/self/exe", argv.data());  // works even if the program file was renamed
    ::_exit(127);
  });
}

std::optional<Ending> SystemChild::Wait(std::chrono::milliseconds most) {
  int status = 0;
  system_->Read(static_cast<int>(most.count()), answer_, printed_);
  if (::waitpid(system_->child, &status, WNOHANG) != system_->child) return std::nullopt;
  std::size_t before = 0;
  do {  // read the rest of the answer; a grandchild may keep the pipe open
    before = answer_.size();
    system_->Read(0, answer_, printed_);
  } while (system_->answer >= 0 && answer_.size() != before);
  system_->ReadPrinted(printed_);
  system_->child = -1;
  system_->Close();
  return EndingOf(status);
}

/// Waits at most `most_milliseconds` for the child's answer or output and reads what is available.
/// If the child has closed the pipe for its answer, waits only briefly.
void SystemChild::System::Read(int most_milliseconds, std::string& answered, std::string& printed) {
  pollfd readable[] = {{answer, POLLIN, 0}, {output, POLLIN, 0}};
  if (answer < 0) {
    ::usleep(1000);
    ReadPrinted(printed);
    return;
  }
  if (::poll(readable, output < 0 ? 1 : 2, most_milliseconds) <= 0) return;
  if (output >= 0 && readable[1].revents != 0) ReadPrinted(printed);
  if (readable[0].revents != 0) {
    char buffer[1U << 16];
    const ssize_t got = ::read(answer, buffer, sizeof buffer);
    if (got > 0) answered.append(buffer, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) Close();
  }
}

/// Reads the available output without waiting. Continues beyond kMostPrinted, so that the child
/// never blocks on a full pipe.
void SystemChild::System::ReadPrinted(std::string& printed) {
  char buffer[1U << 12];
  while (output >= 0) {
    const ssize_t got = ::read(output, buffer, sizeof buffer);
    if (got == 0) CloseFile(output);
    if (got <= 0) return;
    const std::size_t room = kMostPrinted - std::min(kMostPrinted, printed.size());
    printed.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  }
}

void SystemChild::Kill() {
  ::kill(system_->child, SIGKILL);
  while (::waitpid(system_->child, nullptr, 0) < 0 && errno == EINTR) {
  }
  system_->child = -1;
  system_->ReadPrinted(printed_);
  system_->Close();
}

std::optional<std::chrono::nanoseconds> SystemChild::Computed() const {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(system_->child, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Reads the state of the main thread from /proc. Without /proc, returns false.
bool SystemChild::Sleeps() const {
  std::ifstream file("/proc/" + std::to_string(system_->child) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");  // skip the process name, which may contain any character
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  return text[name_end + 2] == 'S' || text[name_end + 2] == 'T';
}

void LimitOwnMemory(std::size_t most) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  if (pages == 0 || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t wanted = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + most;
  // Also correct for RLIM_INFINITY, which is the largest value.
  limit.rlim_cur = std::min(limit.rlim_cur, wanted);
  (void)::setrlimit(RLIMIT_AS, &limit);
}

void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kLargestBlock = 32 << 20;  // glibc's limit
  constexpr int kKept = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

void AnswerAndExit(std::uint64_t pipe, const std::string& answer) {
  WriteAll(static_cast<int>(pipe), answer);
  ::_exit(0);
}

}  // namespace revctl::harness
