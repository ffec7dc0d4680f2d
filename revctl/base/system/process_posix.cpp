#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "revctl/base/file.h"
#include "revctl/base/system/files.h"
#include "revctl/base/system/start_process.h"

extern char** environ;

namespace revctl::base {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  bool Open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  void CloseRead() { Close(read); }
  void CloseWrite() { Close(write); }

 private:
  static void Close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

std::vector<std::string> Environment(const ProcessOptions& options) {
  std::vector<std::string> ours;
  for (char** line = environ; *line != nullptr; ++line) ours.emplace_back(*line);
  return ChangedEnvironment(
      std::move(ours), options,
      [](std::string_view one, std::string_view other) { return one == other; });
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

/// Writes the program's stdin and reads its stdout and stderr at the same time, to avoid a
/// deadlock. Returns false if the program writes more than `max_output`.
bool Exchange(Pipe& in, Pipe& out, Pipe& err, const ProcessOptions& options,
              ProcessResult& result) {
  const std::string& input = options.input;
  std::size_t sent = 0;
  if (input.empty()) in.CloseWrite();
  if (in.write >= 0) ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  while (out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 3> wait{
        {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (wait[2].revents != 0 && in.write >= 0) {
      ssize_t written = ::write(in.write, input.data() + sent, input.size() - sent);
      if (written > 0) sent += static_cast<std::size_t>(written);
      const bool broken = written < 0 && errno != EAGAIN && errno != EINTR;
      if (broken || sent == input.size()) in.CloseWrite();
    }
    auto drain = [&](Pipe& pipe, std::string& into) {
      std::array<char, 65536> buffer;
      ssize_t got = ::read(pipe.read, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) return;
      if (got <= 0) {
        pipe.CloseRead();
      } else {
        into.append(buffer.data(), static_cast<std::size_t>(got));
      }
    };
    if (out.read >= 0 && wait[0].revents != 0) drain(out, result.out);
    if (err.read >= 0 && wait[1].revents != 0) drain(err, result.err);
    if (result.out.size() > options.max_output) return false;
    if (result.err.size() > 1 << 20) result.err.erase(0, result.err.size() / 2);
  }
  return true;
}

/// Starts `argv` with pipes as its stdin, stdout and stderr. Returns its process id, or sets
/// `error` and returns 0. Uses posix_spawn, because fork would copy this process's page tables,
/// which takes longer than most git commands.
pid_t Spawn(const std::vector<std::string>& argv, const ProcessOptions& options, const Pipe& in,
            const Pipe& out, const Pipe& err, int& error) {
  std::vector<std::string> arguments = argv, environment = Environment(options);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read, 0);
  ::posix_spawn_file_actions_adddup2(&actions, options.to_stderr ? 2 : out.write, 1);
  if (!options.to_stderr && !options.errors_to_stderr)
    ::posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  if (!options.directory.empty())
    ::posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  error = ::posix_spawnp(&child, argv[0].c_str(), &actions, &attributes, Pointers(arguments).data(),
                         Pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : 0;
}

/// Ends a child process. Sends SIGTERM first, so that git can remove its lock files, and SIGKILL
/// after two seconds. The child ignores SIGTERM if a parent such as `git daemon` did so when it
/// started this process.
void End(pid_t child, int& status) {
  using namespace std::chrono_literals;
  ::kill(child, SIGTERM);
  for (int waits = 0; waits < 100; ++waits) {
    if (::waitpid(child, &status, WNOHANG) != 0) return;
    std::this_thread::sleep_for(20ms);
  }
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<ProcessResult> Start(const std::vector<std::string>& argv, const ProcessOptions& options) {
  Pipe in, out, err;
  if (!in.Open() || !out.Open() || !err.Open()) {
    const int why = errno;
    return Error{Exit::Environment,
                 fmt::format("cannot create a pipe for {}: {}", argv[0], ErrorWords(why)),
                 SystemFix(why, "")};
  }
  int reason = 0;
  const pid_t child = Spawn(argv, options, in, out, err, reason);
  if (child == 0) {
    return CannotStart(argv, options, reason);
  }
  in.CloseRead();
  out.CloseWrite();
  err.CloseWrite();

  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  ProcessResult result;
  const bool whole = Exchange(in, out, err, options, result);
  ::sigaction(SIGPIPE, &before, nullptr);
  int status = 0;
  if (!whole) {
    // Close this side of the pipes first. Otherwise a program that ignores the signal would wait to
    // write its output while this process waits for it to exit.
    out.CloseRead();
    err.CloseRead();
    in.CloseWrite();
    End(child, status);
  } else {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!whole) return WroteTooMuch(argv, options);
  return result;
}

void LimitProcessorTime(unsigned seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

std::string TextAt(const char* address, std::size_t longest) {
  std::string text;
  Pipe pipe;
  if (address == nullptr || !pipe.Open()) return text;
  // Let the kernel check the address: write() fails with EFAULT if it is unmapped. Copy single
  // bytes, because the text may end just before an unmapped page.
  char c = 1;
  while (c != 0 && text.size() <= longest) {
    if (::write(pipe.write, address + text.size(), 1) != 1 || ::read(pipe.read, &c, 1) != 1) break;
    text += c;
  }
  if (c != 0 || text.empty()) return {};
  text.pop_back();
  return text;
}

std::string OwnProgram() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

const char kPathSeparator = ':';
const char* const kProgramEnding = "";

}  // namespace revctl::base
