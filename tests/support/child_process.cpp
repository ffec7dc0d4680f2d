#include "tests/support/child_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace revctl::testing {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

bool Answers(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(port);
  const bool connected = ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv,
                           const std::vector<std::string>& environment, const std::string& log) {
  std::vector<std::string> arguments = argv, lines = environment;
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error(argv[0] + " cannot be started");
  if (child_ > 0) return;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (std::string& line : lines) ::putenv(line.data());
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(nothing, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

ChildProcess::~ChildProcess() {
  if (child_ <= 0) return;
  ::kill(-child_, SIGTERM);
  ::kill(child_, SIGTERM);  // the process group may not exist yet
  ::waitpid(child_, nullptr, 0);
}

bool ChildProcess::Ended() {
  if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) == child_) child_ = -1;
  return child_ <= 0;
}

int FreePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  ::close(fd);
  return ntohs(address.sin_port);
}

bool WaitForPort(int port, ChildProcess& process) {
  for (int wait = 0; wait < 1000; ++wait) {
    if (process.Ended()) return false;
    if (Answers(port)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string FindServer(const std::string& program, const std::string& package) {
  const char* path = std::getenv("PATH");
  std::string folders =
      std::string(path == nullptr ? "" : path) + ":/usr/sbin:/usr/local/sbin:/sbin";
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string candidate = folders.substr(at, end - at) + "/" + program;
    if (end > at && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  throw std::runtime_error(program + " is missing; install the package " + package +
                           " (ci/packages test)");
}

std::string TailOf(const std::string& log) {
  std::ifstream in(log);
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  return all.substr(all.size() - std::min<std::size_t>(all.size(), 1000));
}

}  // namespace revctl::testing
