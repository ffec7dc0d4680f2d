#pragma once
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Runs git in a repository. Only files of git/ include this header (ci/check-includes); every
/// other room calls typed functions.
class Command {
 public:
  /// Runs git in this repository, regardless of the current directory and of the GIT_DIR of a hook.
  static base::Result<ProcessResult> Run(const Repository& repository,
                                         std::vector<std::string> arguments,
                                         ProcessOptions options = {}) {
    return repository.Git(std::move(arguments), std::move(options));
  }
  /// Runs git commands that may start the user's hooks or an editor. Pathspecs and locks have git's
  /// defaults, and the message that git proposes is accepted unchanged.
  static base::Result<ProcessResult> RunWithHooks(const Repository& repository,
                                                  std::vector<std::string> arguments) {
    return repository.GitWithHooks(std::move(arguments));
  }
};

/// Returns the output of a git command. If the command fails, returns an Error with
/// Exit::Environment: the text `failed`, which must end with its own separator, and git's message.
base::Result<std::string> Output(const base::Result<ProcessResult>& run, const std::string& failed);

/// Parses the output of `git rev-list --parents`: a line "COMMIT PARENT..." for each commit.
std::vector<Repository::CommitParents> ParseParents(const std::string& text);

/// Returns the text up to the first line end.
std::string FirstLine(const std::string& text);

/// Runs the user's own `git` with English messages and without replacement objects or grafts.
/// Credential helpers and prompts work as usual.
base::Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options = {});

}  // namespace revctl::git
