#pragma once
#include <optional>
#include <string>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// Reads `.revctl.yaml` at a commit. `folder` is the folder of the file, with a trailing '/'.
/// Returns nullopt if the commit has no such file. Fails with Exit::Usage, naming the commit, if
/// the file is invalid, and with Exit::Environment if git cannot read it.
base::Result<std::optional<config::Config>> ConfigAt(const git::Repository& repository,
                                                     const git::Oid& commit,
                                                     const std::string& folder);

/// True if `text` has revisions of the list.
bool IsList(const std::string& text, const list::ListConfig& config);

struct ListThere {
  /// as configured in that commit, or as passed in if the commit does not configure the list
  list::ListConfig config;
  std::optional<std::string> text;  ///< nullopt if the commit has no such file
  bool configured = false;          ///< the commit's `.revctl.yaml` names the list

  /// False before the change that brings the list: the file may exist there with other content,
  /// such as the constant that the list was made from.
  bool HasList() const { return text && (configured || IsList(*text, config)); }
};

/// Finds a list at a commit by its name, because the commit may have the file at another path. If
/// the commit's `.revctl.yaml` is invalid, the path in `list` is tried; if that file does not exist
/// either, this fails, because the list may be elsewhere.
base::Result<ListThere> ListAt(const git::Repository& repository, const git::Oid& commit,
                               const std::string& folder, const list::ListConfig& list);

}  // namespace revctl::commands
