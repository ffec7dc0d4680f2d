#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::git {

/// How a program is run. There is never a shell: `argv` reaches the program as it stands.
struct ProcessOptions {
  std::string directory;                 ///< working directory; empty: ours
  std::vector<std::string> environment;  ///< `NAME=VALUE` to set, `NAME` to unset, on top of ours
  std::string input;                     ///< stdin; an empty one is at its end at once
  std::size_t max_output = std::size_t{256}
                           << 20;  ///< bytes of stdout after which the program is stopped
  /// What the program says goes to our stderr as it comes, both of its outputs; the result's are
  /// empty.
  bool to_stderr = false;
};

struct ProcessResult {
  int status = 0;  ///< exit status; 128 + signal where a signal ended it
  std::string out, err;
  bool ok() const { return status == 0; }
};

/// Runs argv[0] (searched in PATH) to its end. An Error only where it cannot be started or says
/// more than `max_output`.
base::Result<ProcessResult> Run(const std::vector<std::string>& argv,
                                const ProcessOptions& options = {});

/// The user's own `git`, in English for whatever reads its output; credential helpers and prompts
/// stay the user's business. It sees objects as they are, without replacements and grafts.
base::Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options = {});

/// From now on `say` is given each program that starts, as a line for a shell; an empty function
/// ends that. For the program's main thread: `-v`.
void TraceRuns(std::function<void(const std::string& line)> say);

/// The parts of an answer to `-z`: each ends with a NUL.
std::vector<std::string> SplitAtNul(const std::string& text);

/// What a failed git said, for a person: its last lines, without control characters, at most a
/// screen.
std::string Talk(const std::string& err);

}  // namespace revctl::git
