#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::harness {

struct ProgramOutput {
  bool started = false;  ///< true if the program was found and ran
  bool ok = false;       ///< true if the program exited with 0
  std::string text;
};

/// Whether the program's stderr is shown to the user.
enum class Complaints { Shown, Dropped };

/// Runs a program found in PATH, without a shell and with empty stdin, and waits for it. `words`
/// are its name and arguments. Removes git's environment variables, which may refer to a different
/// repository if the caller is a hook.
ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints);

/// Returns the git work tree that contains `folder`, or "". Looks for a `.git` in `folder` and its
/// parents.
std::filesystem::path WorkTreeAround(const std::filesystem::path& folder);

/// A commit that added revisions to the current branch.
struct PastCommit {
  std::string commit;
  std::vector<std::string> revisions;  ///< revisions that the commit added, in list order
};

/// Finds the entry in `.revctl.yaml` whose golden folder is `golden`, and returns the path of its
/// list, relative to the work tree `root`.
base::Result<std::string> ListFile(const std::string& root, const std::string& golden);

/// Returns the commits on HEAD's first-parent line that added `names` to `list`, oldest first.
/// `list` is a path relative to `root`. Ignores names that no commit added.
base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names);

/// Runs a shell command in `folder` and writes all of its output to the file `log`. Returns true if
/// the command succeeded.
bool RunLogged(const std::string& folder, const std::string& command, const std::string& log);

/// True if HEAD contains the golden folder, but the work tree does not. Runs git only if the folder
/// is missing.
bool IsGone(const std::string& golden);

}  // namespace revctl::harness
