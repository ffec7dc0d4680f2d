#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::commands {

/// Returns the last `count` words of a line that git passed to a hook, or nullopt if there are
/// fewer words. Words are separated by single spaces.
std::optional<std::vector<std::string>> LastWords(std::string_view line, std::size_t count);

/// True for a full object id, including the all-zero id.
bool IsObjectId(std::string_view text);

/// Returns the error for input that does not come from git. With such input, a hook would check
/// nothing, so the command must not report success.
base::Error NotFromGit(const std::string& line, const std::string& form, const std::string& command,
                       const std::string& hook);

}  // namespace revctl::commands
