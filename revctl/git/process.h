#pragma once
#include <string>
#include <vector>

#include "revctl/base/system/process.h"

namespace revctl::git {

using base::ProcessOptions;
using base::ProcessResult;

/// Splits the output of a git command with `-z`, in which each item ends with a NUL.
std::vector<std::string> SplitAtNul(const std::string& text);

/// Returns the last lines of git's error output for a message, without control characters.
std::string LastLines(const std::string& err);
/// Returns ":
/// " and the last lines of a program's output, or "" if the output was shown as it arrived.
inline std::string CapturedOutput(const ProcessResult& ran) {
  const std::string text = ran.out + ran.err;
  return text.empty() ? "" : ":\n" + LastLines(text);
}

}  // namespace revctl::git
