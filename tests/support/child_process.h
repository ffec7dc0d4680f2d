#pragma once
#include <string>
#include <vector>

namespace revctl::testing {

/// A server process in its own process group, which is killed when this object is destroyed or the
/// test crashes.
class ChildProcess {
 public:
  /// Starts a process with the NAME=VALUE pairs in `environment` added to the current environment.
  /// Its stdout and stderr go to the file `log`. Throws if the process cannot be started.
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
               const std::string& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool Ended();

 private:
  int child_ = -1;
};

/// Returns a loopback port that has no listener right now. Another process may still take it, so
/// prefer StartOnFreePort.
int FreePort();

/// True if a server answers on the port before the process ends. Waits at most ten seconds.
bool WaitForPort(int port, ChildProcess& process);

/// Returns the end of a server's log, for an error message.
std::string TailOf(const std::string& log);

/// Returns the path of a server program, after searching PATH and the system folders. If the
/// program is missing, throws an error that names the Debian package.
std::string FindServer(const std::string& program, const std::string& package);

}  // namespace revctl::testing
