#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/base/system/process.h"

// Functions that process.cpp needs from the operating system. process_posix.cpp and
// process_windows.cpp implement them.
namespace revctl::base {

/// Runs a program like Run(), but without tracing.
Result<ProcessResult> Start(const std::vector<std::string>& argv, const ProcessOptions& options);

/// The separator between folders in PATH.
extern const char kPathSeparator;
/// The file name extension of programs, "" on POSIX systems.
extern const char* const kProgramEnding;

/// Returns the environment for a new process: the lines `NAME=VALUE` in `ours`, changed as
/// `options` requests.
std::vector<std::string> ChangedEnvironment(
    std::vector<std::string> ours, const ProcessOptions& options,
    const std::function<bool(std::string_view one, std::string_view other)>& same_name);

/// Returns an error of running a program that can occur on every system. `error` is an errno.
Error CannotStart(const std::vector<std::string>& argv, const ProcessOptions& options, int error);
Error WroteTooMuch(const std::vector<std::string>& argv, const ProcessOptions& options);

}  // namespace revctl::base
