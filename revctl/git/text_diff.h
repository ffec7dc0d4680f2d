#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"

namespace revctl::git {

/// Returns a file's changes as `git diff` prints them, ready for `git apply`, or "" if the texts
/// are equal. If `before` or `after` is nullopt, the file does not exist on that side. For binary
/// files, returns only a line saying that the files differ.
base::Result<std::string> TextDiff(const std::string& path,
                                   const std::optional<std::string>& before,
                                   const std::optional<std::string>& after);

}  // namespace revctl::git
