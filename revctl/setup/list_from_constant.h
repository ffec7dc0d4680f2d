#pragma once
#include <string>
#include <vector>

#include "revctl/git/repository.h"
#include "revctl/list/reading/guess.h"
#include "revctl/setup/version_constant.h"

namespace revctl::commands {

/// A list created from a constant and its history, before anything is written.
struct ListFromConstant {
  VersionConstant constant;
  list::Guess list;       ///< the new list after parsing, with its config
  std::string list_text;  ///< text of the new header
  /// New text of the constant's file. It sets the constant to the latest revision.
  std::string source_text;
  std::vector<std::string> guessed;  ///< guesses that the user should check, one sentence each;
                                     ///< may be empty
};

/// Creates a list from the commits that raised `constant`. `text` is the content of the constant's
/// file, and `given` contains the user's options. Fails with Exit::Usage if the preprocessor
/// compares the constant, because it cannot evaluate an enumerator.
base::Result<ListFromConstant> MakeListFrom(const git::Repository& repository,
                                            const VersionConstant& constant,
                                            const std::string& text, const list::ListConfig& given);

/// Returns the constants in the sources that may be the save version, the most likely one first.
base::Result<std::vector<VersionConstant>> SearchConstants(const git::Repository& repository);

/// Returns a name for a revision, based on the subject of its commit: at most four words and 28
/// letters, without meaningless words such as "save" and "fix". Returns PREFIX_VERSION_N if no
/// words are left.
std::string RevisionNameFrom(std::string_view subject, std::int64_t number,
                             const std::string& prefix);

}  // namespace revctl::commands
