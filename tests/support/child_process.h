#pragma once
#include <string>
#include <vector>

namespace revctl::testing {

/// A server process in its own process group. It is killed when this object is destroyed or the
/// test crashes.
class ChildProcess {
 public:
  /// Starts a process with the additional NAME=VALUE pairs of `environment`. Its stdout and stderr
  /// go to the file `log`. Throws if the process cannot be started.
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
               const std::string& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool Ended();

 private:
  int child_ = -1;
};

/// Returns a loopback port that has no listener right now. Another process may take it, so use
/// StartOnFreePort.
int FreePort();

/// True if a server answers on the port before the process ends. Waits for at most ten seconds.
bool WaitForPort(int port, ChildProcess& process);

/// Returns the end of a server's log, for use in an error message.
std::string TailOf(const std::string& log);

/// Searches PATH and the system folders for a server program, and returns its path. Throws an error
/// that names the Debian package if the program is missing.
std::string FindServer(const std::string& program, const std::string& package);

}  // namespace revctl::testing
