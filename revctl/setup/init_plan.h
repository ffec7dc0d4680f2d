#pragma once
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

/// Everything `init` will write. The plan is complete before the first file is written.
struct InitPlan {
  config::Config config;
  std::string new_list;     ///< text of a list to create; empty if an existing list is adopted
  list::RevisionList list;  ///< as it will be after `init`
  /// Set if the new list replaces the number of a constant.
  std::optional<ListFromConstant> from_constant;
  std::optional<std::int64_t> latest;
  bool asked_for = false;  ///< the user named the list or asked for a new one
  /// Why other settings suit this repository better, with the option that chooses them; may be "".
  std::string advice;
  std::string others;  ///< other enums and constants that look like versions, one line each

  /// True if the user has to agree to the plan before it is carried out: it was found rather than
  /// named, it edits sources, or (`shared`) it begins a ledger on a server from an existing list.
  bool NeedsConsent(bool shared) const {
    return !asked_for || from_constant || (shared && new_list.empty());
  }
  /// Returns the plan as text: the list as `init` understands it, and the text of .revctl.yaml.
  std::string Text(bool with_remote) const;
};

/// Reads the named list, or searches for one, without writing anything. Fails with Exit::Usage if
/// there is no list or several equally likely ones (the fix offers commands), or the file is no
/// version list.
base::Result<InitPlan> PlanInit(const cli::Arguments& arguments, const git::Repository& repository,
                                const std::string& remote);

/// Returns an error if the arguments of `init` contradict the existing configuration.
std::optional<base::Error> InitContradiction(const cli::Arguments& arguments,
                                             const config::Config& present);

inline constexpr std::string_view kDefaultList = "src/master_version_list.h";

/// Result of searching the headers that git tracks or could add.
struct FoundLists {
  std::vector<list::Guess> likely;  ///< most likely first, at most one per file
  std::string searched;             ///< how many headers were read, as text
};

/// Finds enums that look like version lists. `given` and `any_prefix`: see list::GuessLists().
base::Result<FoundLists> FindLists(const git::Repository& repository, const list::ListConfig& given,
                                   bool any_prefix);

}  // namespace revctl::commands
