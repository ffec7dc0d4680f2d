#pragma once
#include <string>
#include <vector>

namespace revctl::testing {

/// A server's process in a group of its own, with whatever it starts. Ends with this object, and
/// with the test that crashes.
class ChildProcess {
 public:
  /// `environment`: NAME=VALUE on top of ours. Both outputs go to the file `log`. Throws where it
  /// cannot be started.
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
               const std::string& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool Ended();

 private:
  int child_ = -1;
};

/// A TCP port of the loopback without a listener (any more, by the time it is used: hence
/// StartOnFreePort).
int FreePort();

/// Does a server answer there before the process ends? Waits for at most ten seconds.
bool WaitForPort(int port, ChildProcess& process);

/// The end of a server's log, for the message of a test that cannot go on.
std::string TailOf(const std::string& log);

/// Where a server's program is: PATH and the folders of system programs. Throws with the Debian
/// package that has it.
std::string FindServer(const std::string& program, const std::string& package);

}  // namespace revctl::testing
