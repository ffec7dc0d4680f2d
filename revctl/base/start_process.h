#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/base/result.h"

// How process.cpp reaches the operating system. process_posix.cpp and process_windows.cpp implement
// this header.
namespace revctl::base {

/// Run() without the tracing.
Result<ProcessResult> Start(const std::vector<std::string>& argv, const ProcessOptions& options);

/// Between two folders of the variable PATH.
extern const char kPathSeparator;
/// What names of programs end with.
extern const char* const kProgramEnding;

/// Returns the variables of a new process: `ours`, lines `NAME=VALUE`, with the changes of
/// `options`.
std::vector<std::string> ChangedEnvironment(
    std::vector<std::string> ours, const ProcessOptions& options,
    const std::function<bool(std::string_view one, std::string_view other)>& same_name);

/// Errors that are the same on all systems. `error` is an errno.
Error CannotStart(const std::vector<std::string>& argv, const ProcessOptions& options, int error);
Error WroteTooMuch(const std::vector<std::string>& argv, const ProcessOptions& options);

}  // namespace revctl::base
