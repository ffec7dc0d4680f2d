#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Files of the work tree whose path `wanted` takes, that git does not ignore, and that hold one of
/// `texts`, sorted; as `git grep -I -l --untracked` finds them, without a process. nullopt: git
/// must be asked.
base::Result<std::optional<std::vector<std::string>>> FilesHolding(
    const Repository& repository, const std::vector<std::string>& texts,
    const std::function<bool(const std::string& path)>& wanted);

}  // namespace revctl::git
