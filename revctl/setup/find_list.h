#pragma once
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/git/repository.h"
#include "revctl/list/reading/guess.h"

namespace revctl::commands {

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
