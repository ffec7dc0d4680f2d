#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::harness {

struct ProgramOutput {
  bool started = false;  ///< the program was found and ran
  bool ok = false;       ///< it exited with 0
  std::string text;
};

/// Whether the program's stderr is shown to the user.
enum class Complaints { Shown, Dropped };

/// Runs a program found in PATH and waits until it ends. `words` are the program's name and its
/// arguments; no shell is involved. Stdin is empty. Git's environment variables are removed,
/// because in a hook they refer to another repository.
ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints);

/// Returns the git work tree that contains `folder`, found by looking for a `.git` upward. Returns
/// "" outside a work tree.
std::filesystem::path WorkTreeAround(const std::filesystem::path& folder);

/// A commit that added revisions to the current branch.
struct PastCommit {
  std::string commit;
  std::vector<std::string> revisions;  ///< in list order
};

/// Returns the path of the list, relative to the work tree `root`, according to the `.revctl.yaml`
/// that covers the folder `golden`.
base::Result<std::string> ListFile(const std::string& root, const std::string& golden);

/// Returns the commits on HEAD's first-parent line that added the names to `list`, a path relative
/// to `root`. The oldest commit comes first. Leaves out names that no commit added.
base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names);

/// Runs a shell command in `folder` and writes all its output to the file `log`. Returns true if
/// the command succeeded.
bool RunLogged(const std::string& folder, const std::string& command, const std::string& log);

/// True if the folder of goldens is in HEAD but missing in the work tree. Runs git only if the
/// folder is missing.
bool IsGone(const std::string& golden);

}  // namespace revctl::harness
