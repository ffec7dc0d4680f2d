#pragma once
#include <optional>
#include <string>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// `.revctl.yaml` of a commit; `folder` is its own, with the final '/'. nullopt: there is none that can be read.
std::optional<config::Config> ConfigAt(const git::Repository& repository, const git::Oid& commit, const std::string& folder);

/// What the `.revctl.yaml` of a commit says of the list that has `list`'s name: its path may be another there. `list` itself where it
/// says nothing.
list::ListConfig ListAt(const git::Repository& repository, const git::Oid& commit, const std::string& folder, const list::ListConfig& list);

}  // namespace revctl::commands
