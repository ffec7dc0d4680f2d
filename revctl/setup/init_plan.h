#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/cli/command.h"
#include "revctl/config/config.h"
#include "revctl/git/repository.h"
#include "revctl/list/reading/guess.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/setup/list_from_constant.h"

namespace revctl::commands {

/// Everything that `init` will write. The plan is complete before `init` writes the first file.
struct InitPlan {
  config::Config config;
  std::string new_list;     ///< text of the list to create; empty if `init` adopts an existing list
  list::RevisionList list;  ///< the list as it will be after `init`
  /// Set if `init` creates the list from a constant. The constant's number is then replaced with
  /// the name of the latest revision.
  std::optional<ListFromConstant> from_constant;
  std::optional<std::int64_t> latest;
  bool asked_for = false;  ///< true if the user named the list or asked for a new list
  /// Advice on settings that would suit this repository better, with reasons and the options that
  /// select them. May be empty.
  std::string advice;
  std::string others;  ///< other enums and constants that look like a version, one per line

  /// True if the user must agree to the plan, because `init` found the list by itself, edits
  /// sources, or (`shared`) starts a ledger on the server from an existing list.
  bool NeedsConsent(bool shared) const {
    return !asked_for || from_constant || (shared && new_list.empty());
  }
  /// Returns the plan as text: the list as `init` understands it, and the contents of
  /// `.revctl.yaml`.
  std::string Text(bool with_remote) const;
};

/// The folder in which `init` runs. As in git, paths given by the user and paths in suggested
/// commands are relative to this folder. All other paths are relative to the repository's root.
class WorkingFolder {
 public:
  /// `directory` is an absolute path without links.
  WorkingFolder(const std::string& directory, const std::string& root);
  /// Converts a path given by the user to a path relative to the root, which begins with `..` if
  /// the path is outside the repository. Returns "" for "".
  std::string FromRoot(const std::string& path) const;
  /// Converts a path relative to the root to a path relative to this folder.
  std::string FromHere(const std::string& path) const;

 private:
  std::filesystem::path root_;
  std::filesystem::path below_;  ///< path of the folder relative to the root; empty at the root
};

/// Plans an `init` for the list that the user named, or for a list that it finds. Writes nothing.
/// Fails with Exit::Usage if there is no list, if several lists are equally likely (the fix then
/// suggests commands), or if the file is not a version list.
base::Result<InitPlan> PlanInit(const cli::Arguments& arguments, const git::Repository& repository,
                                const std::string& remote, const WorkingFolder& folder);

/// Returns an error if the arguments of `init` contradict the existing configuration.
std::optional<base::Error> InitContradiction(const cli::Arguments& arguments,
                                             const config::Config& present,
                                             const WorkingFolder& folder);

}  // namespace revctl::commands
