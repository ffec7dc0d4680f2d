#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::commands {

/// The last `count` words of a line that git wrote for a hook; nullopt: it has fewer. Words stand
/// one blank apart.
std::optional<std::vector<std::string>> LastWords(std::string_view line, std::size_t count);

/// A full object name, all zeros among them.
bool IsObjectId(std::string_view text);

/// A hook that is fed anything else guards nothing, so that it must not say that all is fine.
base::Error NotFromGit(const std::string& line, const std::string& form, const std::string& command,
                       const std::string& hook);

}  // namespace revctl::commands
