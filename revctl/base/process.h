#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::base {

/// Settings for running a program. No shell is involved: the program receives `argv` unchanged.
struct ProcessOptions {
  std::string directory;  ///< working directory; empty: the current one
  /// changes to the environment that the program inherits: `NAME=VALUE` sets a variable, `NAME`
  /// unsets it
  std::vector<std::string> environment;
  std::string input;
  /// limit for the number of bytes on stdout; a program that writes more is stopped
  std::size_t max_output = std::size_t{256} << 20;
  /// If true, stdout and stderr go to our stderr, and `out` and `err` of the result are empty.
  bool to_stderr = false;
  /// If true, stderr goes to our stderr, and `err` of the result is empty.
  bool errors_to_stderr = false;
  std::string without = {};  ///< prefix of variables that the program does not inherit; empty: none
};

struct ProcessResult {
  /// exit status; elsewhere than on Windows 128 + signal if a signal ended the program
  int status = 0;
  std::string out, err;
  bool ok() const { return status == 0; }
};

/// Runs argv[0] (searched in PATH) and waits for it to end. Returns an Error only if it cannot be
/// started or writes more than `max_output`; otherwise check ProcessResult::ok().
Result<ProcessResult> Run(const std::vector<std::string>& argv, const ProcessOptions& options = {});

/// Returns the full name of the running program, or "" if the system does not tell.
std::string OwnProgram();
/// Returns the file of the program `name` in the first folder of PATH that has one, or "".
std::string FindProgram(const std::string& name);

/// Limits the processor time of this process from now on; it then ends as by SIGPROF. 0 removes the
/// limit.
void LimitProcessorTime(unsigned seconds);

/// Returns the NUL-terminated text at an address that may be unmapped. Returns "" if it is unmapped
/// or the text is longer than `longest`.
std::string TextAt(const char* address, std::size_t longest);

/// Passes each program that starts from now on to `say`, as a shell command line (for `-v`). An
/// empty function turns tracing off. Must be called from the main thread.
void TraceRuns(std::function<void(const std::string& line)> say);

}  // namespace revctl::base
