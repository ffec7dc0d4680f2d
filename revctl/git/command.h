#pragma once
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Runs git on a repository. Only files of git/ include this header (ci/check-includes), because
/// every other room calls typed functions.
class Command {
 public:
  /// Runs git regardless of the current directory and of a hook's GIT_DIR.
  static base::Result<ProcessResult> Run(const Repository& repository,
                                         std::vector<std::string> arguments,
                                         ProcessOptions options = {}) {
    return repository.Git(std::move(arguments), std::move(options));
  }
  /// Runs git for commands that may start the user's hooks or an editor: pathspecs and locks have
  /// git's defaults, and proposed texts are accepted unchanged.
  static base::Result<ProcessResult> RunWithHooks(const Repository& repository,
                                                  std::vector<std::string> arguments) {
    return repository.GitWithHooks(std::move(arguments));
  }
};

/// Returns the output of a git command. If the command fails, returns Exit::Environment with
/// `failed`, which ends with its separator, and git's own words.
base::Result<std::string> Output(const base::Result<ProcessResult>& run, const std::string& failed);

/// Parses the output of `git rev-list --parents`: a line "COMMIT PARENT..." for each commit.
std::vector<Repository::CommitParents> ParseParents(const std::string& text);

/// Returns the text up to the first line end.
std::string FirstLine(const std::string& text);

/// Runs the user's own `git` with English messages and without replacement objects and grafts.
/// Credential helpers and prompts work as usual.
base::Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options = {});

}  // namespace revctl::git
