#pragma once
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/support/child_process.h"
#include "tests/support/sandbox.h"

namespace revctl::testing {

/// A real git server on a free loopback port, for the repositories under one folder. Its
/// configuration is in the sandbox. It runs as the current user, does not affect system services,
/// and stops when this object is destroyed.
class GitServer {
 public:
  virtual ~GitServer() = default;
  virtual std::string Url(const std::string& repository) const = 0;
};

/// `git daemon`, without authentication. All servers with write access share one process, which
/// runs until the test program ends.
class GitDaemon : public GitServer {
 public:
  enum class Access { ReadWrite, ReadOnly };
  GitDaemon(const Sandbox& sandbox, const std::string& base, Access access = Access::ReadWrite);
  std::string Url(const std::string& repository) const override;

 private:
  int port_ = 0;
  std::string folder_;
  std::unique_ptr<ChildProcess> process_;
};

/// nginx with `git http-backend` (through fcgiwrap) and a password that the sandbox's credential
/// helper provides.
class HttpServer : public GitServer {
 public:
  HttpServer(const Sandbox& sandbox, const std::string& base);
  std::string Url(const std::string& repository) const override;

 private:
  int port_ = 0;
  std::unique_ptr<ChildProcess> cgi_, nginx_;
};

/// sshd with its own keys. git in the sandbox connects to it through core.sshCommand.
class SshServer : public GitServer {
 public:
  SshServer(const Sandbox& sandbox, const std::string& base);
  std::string Url(const std::string& repository) const override;

 private:
  int port_ = 0;
  std::string user_, folder_;
  std::unique_ptr<ChildProcess> process_;
};

enum class Transport { Git, Http, Ssh };
std::unique_ptr<GitServer> StartServer(Transport transport, const Sandbox& sandbox,
                                       const std::string& base);

/// Starts a server on a free port by calling `start(port)`, and sets `port` to that port. Retries
/// if another process takes the port first. If the server does not answer, throws an error with the
/// end of `log`.
template <class Start>
std::unique_ptr<ChildProcess> StartOnFreePort(const std::string& what, const std::string& log,
                                              int& port, const Start& start) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    port = FreePort();
    std::unique_ptr<ChildProcess> process = start(port);
    if (WaitForPort(port, *process)) return process;
    if (!process->Ended()) break;
  }
  throw std::runtime_error(what + " does not start: " + TailOf(log));
}

}  // namespace revctl::testing
