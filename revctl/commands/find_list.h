#pragma once
#include <string>

#include "revctl/findings/error.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// The list that `init` was not told.
struct FoundList {
  std::string path;  ///< from the repository's root; there may be no such file yet
  std::string note;  ///< what was searched in vain, for a person; empty: the path was given, or
                     ///< found by its name
};

/// `named`, else the only file that is called like a list, else a new one. Where headers hold an
/// enum whose entries begin with `prefix`, nothing is begun beside it: Exit::Usage names them,
/// since only a person knows which one is serialised.
findings::Result<FoundList> FindList(const git::Repository& repository, const std::string& named,
                                     const std::string& prefix);

}  // namespace revctl::commands
