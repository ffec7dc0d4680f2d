#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::base {

/// Settings for running a program. No shell is involved: the program receives `argv` unchanged.
struct ProcessOptions {
  std::string directory;  ///< working directory; empty: the current directory
  /// changes to the environment that the program inherits: `NAME=VALUE` sets a variable, `NAME`
  /// unsets it
  std::vector<std::string> environment;
  std::string input;
  /// maximum number of bytes on stdout; a program that writes more is terminated
  std::size_t max_output = std::size_t{256} << 20;
  /// If true, the program writes stdout and stderr to this process's stderr, and `out` and `err` of
  /// the result are empty.
  bool to_stderr = false;
  /// If true, the program writes stderr to this process's stderr, and `err` of the result is empty.
  bool errors_to_stderr = false;
  std::string without = {};  ///< the program does not inherit variables with this prefix; empty: it
                             ///< inherits all
};

struct ProcessResult {
  /// exit status; on POSIX systems, 128 + signal if a signal ended the program
  int status = 0;
  std::string out, err;
  bool ok() const { return status == 0; }
};

/// Runs the program argv[0] (searched in PATH) and waits for it to exit. Returns an Error only if
/// the program cannot be started or writes more than `max_output`; in all other cases, check
/// ProcessResult::ok().
Result<ProcessResult> Run(const std::vector<std::string>& argv, const ProcessOptions& options = {});

/// Returns the full path of the running program, or "" if the system does not provide it.
std::string OwnProgram();
/// Returns the path of the program `name` in the first folder in PATH that contains it, or "" if
/// none does.
std::string FindProgram(const std::string& name);

/// Limits the processor time that this process may use from now on. When the limit is reached, the
/// process ends as if by SIGPROF. 0 removes the limit.
void LimitProcessorTime(unsigned seconds);

/// Returns the NUL-terminated text at `address`. Returns "" if the address is unmapped or the text
/// is longer than `longest`.
std::string TextAt(const char* address, std::size_t longest);

/// From now on, calls `say` with the shell command line of each program that is started (for `-v`).
/// An empty function turns tracing off. Must be called from the main thread.
void TraceRuns(std::function<void(const std::string& line)> say);

}  // namespace revctl::base
