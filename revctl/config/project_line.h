#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/base/result.h"

namespace revctl::config {

/// A command line of the target's `.revctl.yaml`, such as `land: verify:`.
struct ProjectLine {
  std::string key;  ///< the key in `land:`, such as `verify`
  std::string line;
  std::vector<std::string> environment = {};  ///< `NAME=VALUE`, added to the environment of this
                                              ///< process
};

/// Runs a line with `sh -c` in a folder. The command that calls an engine passes this function, and
/// thereby decides whether the output is shown as it arrives or captured in the result.
using ProjectRunner = std::function<base::Result<base::ProcessResult>(const std::string& folder,
                                                                      const ProjectLine& line)>;

}  // namespace revctl::config
