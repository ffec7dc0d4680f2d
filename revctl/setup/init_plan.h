#pragma once
#include <optional>
#include <string>

#include <vector>
#include "revctl/base/result.h"
#include "revctl/config/config.h"
#include "revctl/git/repository.h"
#include "revctl/list/reading/guess.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// What `init` will write, settled before the first byte of it.
struct InitPlan {
  config::Config config;
  std::string new_list;     ///< text of a list that does not exist yet; empty: one is adopted
  list::RevisionList list;  ///< as it will stand
  std::optional<std::int64_t> latest;
  bool asked_for = false;  ///< a person has named the list, or asked for a new one
  std::string others;      ///< further enums that look like lists, a line each

  /// The plan for a person: the list as it is understood, and the text of .revctl.yaml.
  std::string Text(bool with_remote) const;
};

/// Reads the list named, or looks for one. Nothing is written. Errors: no list found or several
/// alike (Exit::Usage, with the commands that name one), a file that is no list.
base::Result<InitPlan> PlanInit(const Arguments& arguments, const git::Repository& repository,
                                const std::string& remote);

/// Where arguments of `init` say something else than the configuration that is there already.
std::optional<base::Error> InitContradiction(const Arguments& arguments,
                                             const config::Config& present);

/// Where `init` puts a new list that has no path yet.
inline constexpr std::string_view kDefaultList = "src/master_version_list.h";

/// What was found in the headers that git knows or could add.
struct FoundLists {
  std::vector<list::Guess> likely;  ///< the likeliest first, at most one of a file
  std::string searched;             ///< how many headers were read, for a person
};

/// Enums that look like version lists. `given` and `any_prefix` as for list::GuessLists().
base::Result<FoundLists> FindLists(const git::Repository& repository, const list::ListConfig& given,
                                   bool any_prefix);

}  // namespace revctl::commands
