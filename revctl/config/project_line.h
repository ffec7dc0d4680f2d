#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/base/system/process.h"

namespace revctl::config {

/// A command from `land:` in the target's `.revctl.yaml`.
struct ProjectLine {
  std::string key;  ///< key in `land:`, such as `verify`
  std::string line;
  std::vector<std::string> environment = {};  ///< `NAME=VALUE`, in addition to the variables of
                                              ///< this process
};

/// Runs a project line with `sh -c` in a folder. Commands supply this function, so they decide
/// whether the output is shown as it arrives or captured in the result.
using ProjectRunner = std::function<base::Result<base::ProcessResult>(const std::string& folder,
                                                                      const ProjectLine& line)>;

}  // namespace revctl::config
