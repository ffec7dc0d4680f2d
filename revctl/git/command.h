#pragma once
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Runs git in a repository. Only files in this folder include this header, which ci/check-includes
/// enforces. Other folders call typed functions.
class Command {
 public:
  /// Runs git in this repository, regardless of the current directory and a hook's GIT_DIR.
  static base::Result<ProcessResult> Run(const Repository& repository,
                                         std::vector<std::string> arguments,
                                         ProcessOptions options = {}) {
    return repository.Git(std::move(arguments), std::move(options));
  }
  /// Runs git commands that may start the user's hooks or an editor. Uses git's defaults for
  /// pathspecs and locks, and accepts the commit message that git proposes.
  static base::Result<ProcessResult> RunWithHooks(const Repository& repository,
                                                  std::vector<std::string> arguments) {
    return repository.GitWithHooks(std::move(arguments));
  }
};

/// Returns the output of a git command. If the command failed, returns an Error with
/// Exit::Environment whose message is `failed` followed by git's message. `failed` must end with a
/// separator, such as ": ".
base::Result<std::string> Output(base::Result<ProcessResult> run, const std::string& failed);

/// Parses the output of `git rev-list --parents`, which has a line "COMMIT PARENT..." for each
/// commit.
std::vector<Repository::CommitParents> ParseParents(const std::string& text);

/// Splits a text in which each item ends with `end`.
std::vector<std::string> Split(const std::string& text, char end);
/// Returns the lines of a text, except empty ones.
std::vector<std::string> Lines(const std::string& text);
/// Returns the text up to the first line break.
std::string FirstLine(const std::string& text);

/// Runs the user's own `git` with English messages and without replacement objects or grafts.
/// Credential helpers and prompts work as usual.
base::Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options = {});

}  // namespace revctl::git
