#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// Asks which release branch that is known here has a revision, and with what number. The branches'
/// lists are read at the first question, so that a merge without pending revisions pays nothing.
/// `remote` is empty where there is none; `folder` is that of
/// `.revctl.yaml`, with its final '/'; each branch says by itself where the list is. `repository`
/// must outlive the answer.
std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
ReleaseLines(const git::Repository& repository, const config::Config& config,
             const list::ListConfig& list, const std::string& remote, std::string folder);

}  // namespace revctl::commands
