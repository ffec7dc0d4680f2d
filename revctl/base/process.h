#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::base {

/// How a program is run. There is never a shell: `argv` reaches the program as it stands.
struct ProcessOptions {
  std::string directory;                 ///< working directory; empty: ours
  std::vector<std::string> environment;  ///< `NAME=VALUE` to set, `NAME` to unset, on top of ours
  std::string input;                     ///< stdin; an empty one is at its end at once
  std::size_t max_output = std::size_t{256}
                           << 20;  ///< bytes of stdout after which the program is stopped
  /// Both of its outputs go to our stderr as they come; the result's are empty.
  bool to_stderr = false;
  /// Its stderr goes to ours as it comes; the result's `err` is empty.
  bool errors_to_stderr = false;
  std::string without = {};  ///< of ours it does not get the variables that begin so; empty: all
};

struct ProcessResult {
  int status = 0;  ///< exit status; 128 + signal where a signal ended it
  std::string out, err;
  bool ok() const { return status == 0; }
};

/// Runs argv[0] (searched in PATH) to its end. An Error only if it cannot be started or writes more
/// than `max_output`.
Result<ProcessResult> Run(const std::vector<std::string>& argv, const ProcessOptions& options = {});

/// Ends the process by SIGPROF after so many seconds of a processor; 0: never.
void LimitProcessorTime(unsigned seconds);

/// The text at an address that may not be mapped, to its 0; empty there, and where it is longer
/// than `longest`.
std::string TextAt(const char* address, std::size_t longest);

/// From now on `say` is given each program that starts, as a line for a shell; an empty function
/// ends that. For the program's main thread: `-v`.
void TraceRuns(std::function<void(const std::string& line)> say);

}  // namespace revctl::base
