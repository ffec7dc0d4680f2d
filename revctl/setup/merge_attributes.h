#pragma once
#include <set>
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// `path` as a pattern of .gitattributes that matches it alone.
std::string AttributePattern(const std::string& path);

/// The names that lists have here and on the branches known here, in `$GIT_DIR/info/attributes`.
/// git asks for the merge driver by the .gitattributes of the branch that is checked out; a branch
/// that does not know the list's new name yet would get git's own merge, and its markers.
/// `repository` must outlive this.
class ListNames {
 public:
  explicit ListNames(const git::Repository& repository) : repository_(repository) {}

  /// The line of .gitattributes for a list at `path`, from the repository's root.
  static std::string AttributeLine(const std::string& path);
  /// Lines for the lists of `.revctl.yaml` in the folder `prefix` ("" or with its final '/') at
  /// each of `commits`; one that cannot be read names none.
  std::set<std::string> LinesAt(const std::vector<git::Oid>& commits,
                                const std::string& prefix) const;

  /// What is noted, a line each; empty where nothing is.
  base::Result<std::set<std::string>> Noted() const;
  /// Adds what is missing; true where that was something. With `begin` unset only where something
  /// is noted already, so that a clone that was never set up stays as it is.
  base::Result<bool> Note(const std::set<std::string>& lines, bool begin) const;
  /// Takes all of it away: the file is as it was before, byte for byte.
  base::Result<bool> Forget() const;

 private:
  std::string File() const { return repository_.common_dir() + "/info/attributes"; }

  const git::Repository& repository_;
};

}  // namespace revctl::commands
