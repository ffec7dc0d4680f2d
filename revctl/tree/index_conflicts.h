#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>

#include "revctl/git/repository.h"

namespace revctl::commands {

/// Base, ours and theirs of a file in an unfinished merge; nullopt: that side has none.
using Stages = std::array<std::optional<git::Oid>, 3>;

/// What the index holds in conflict at `place`, a file or folder from the repository's root, by
/// path.
base::Result<std::map<std::string, Stages>> UnmergedAt(const git::Repository& repository,
                                                       const std::string& place);

/// The sides' texts; "" where one has none.
base::Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                                 const Stages& stages);

}  // namespace revctl::commands
