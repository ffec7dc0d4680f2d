#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "revctl/testing/sandbox.h"

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

GitDaemon::GitDaemon(const Sandbox& sandbox, const std::string& base, Access access) {
  const std::string exec_path = sandbox.Git(".", {"--exec-path"});
  const std::string folder = sandbox.Path(base);
  std::filesystem::create_directories(folder);
  // Somebody else may take the port between the look and the daemon's bind: then another one is tried.
  for (int attempt = 0; attempt < 10; ++attempt) {
    port_ = FreePort();
    const std::string port = "--port=" + std::to_string(port_), base_path = "--base-path=" + folder;
    child_ = ::fork();
    if (child_ == 0) {
      ::setenv("GIT_CONFIG_GLOBAL", (sandbox.root() + "/gitconfig").c_str(), 1);
      ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
      // The daemon starts itself again for every connection, by its bare name.
      ::setenv("PATH", (exec_path + ":" + ::getenv("PATH")).c_str(), 1);
      // In its own process group, so that the daemon's children end with it.
      ::setpgid(0, 0);
      // A test that crashes takes its daemon with it, and nobody waits for a pipe that the daemon holds.
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      const int quiet = ::open("/dev/null", O_RDWR);
      for (int fd : {0, 1, 2}) ::dup2(quiet, fd);
      const std::string program = exec_path + "/git-daemon";
      const char* write = access == Access::ReadWrite ? "--enable=receive-pack" : "--forbid-override=upload-pack";
      ::execl(program.c_str(), "git-daemon", "--listen=127.0.0.1", port.c_str(), base_path.c_str(), "--export-all", "--reuseaddr",
              "--max-connections=0", write, folder.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    for (int wait = 0; wait < 500; ++wait) {
      if (::waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;
        break;
      }
      if (Answers(port_)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (child_ > 0) break;
  }
  throw std::runtime_error("git daemon does not start");
}

GitDaemon::~GitDaemon() {
  if (child_ <= 0) return;
  ::kill(-child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
}

}  // namespace revctl::testing
