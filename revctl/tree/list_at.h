#pragma once
#include <optional>
#include <string>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// `.revctl.yaml` of a commit, for all who ask what it was there; `folder` is its own, with the
/// final '/'. nullopt: the commit has none. An Error where it has one that cannot be read
/// (Exit::Usage, named with its commit) or git cannot give it (Exit::Environment): what that means,
/// the caller has to say.
base::Result<std::optional<config::Config>> ConfigAt(const git::Repository& repository,
                                                     const git::Oid& commit,
                                                     const std::string& folder);

/// A list as a commit has it.
struct ListThere {
  list::ListConfig config;  ///< what its `.revctl.yaml` says of it; the one that was asked with
                            ///< where it says nothing
  std::optional<std::string> text;  ///< nullopt: the commit has no such list
};

/// A list is known by its name: another commit may have its file at another path. Where the
/// `.revctl.yaml` there cannot be read, the path that `list` has is as good as any; an Error where
/// there is no file either, since it is not known then that there is no list.
base::Result<ListThere> ListAt(const git::Repository& repository, const git::Oid& commit,
                               const std::string& folder, const list::ListConfig& list);

}  // namespace revctl::commands
