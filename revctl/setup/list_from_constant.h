#pragma once
#include <string>
#include <vector>

#include "revctl/list/reading/guess.h"
#include "revctl/setup/constant_history.h"

namespace revctl::commands {

/// A list that is made from a constant and its history. Nothing has been written yet.
struct ListFromConstant {
  VersionConstant constant;
  list::Guess list;         ///< the new list, parsed, and its config
  std::string list_text;    ///< content of the new header
  std::string source_text;  ///< content of the constant's file, in which the constant is the latest
  std::vector<std::string> guessed;  ///< facts that the user should check, one sentence each
};

/// Makes a list of the commits that raised `constant`. `text` is the constant's file; `given` has
/// the options of the user. Returns Exit::Usage if the preprocessor compares the constant, because
/// enumerators have no value there.
base::Result<ListFromConstant> MakeListFrom(const git::Repository& repository,
                                            const VersionConstant& constant,
                                            const std::string& text, const list::ListConfig& given);

/// Returns the constants of the tree's sources that may be the version of saves, likeliest first.
base::Result<std::vector<VersionConstant>> SearchConstants(const git::Repository& repository);

/// Returns a name for a revision from the subject of the commit that introduced it: at most four
/// words and 28 letters, without words such as "save" and "fix" that say nothing. Returns
/// PREFIX_VERSION_N if no word is left.
std::string RevisionNameFrom(std::string_view subject, std::int64_t number,
                             const std::string& prefix);

}  // namespace revctl::commands
