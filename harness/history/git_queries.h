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

/// Whether the stderr of a program reaches the user's terminal.
enum class Complaints { Shown, Dropped };

/// Runs a program found in PATH and waits for it. `words` are its name and arguments; no shell is
/// involved. Stdin is empty. Git's environment variables are removed, because in a hook they refer
/// to another repository.
ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints);

/// Returns the git work tree that contains `folder`, by looking for a `.git` upward. Empty outside
/// of a work tree.
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
/// to `root`; oldest first. Names that no commit added are left out.
base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names);

/// Runs a shell command in `folder` with all output in the file `log`. True if it succeeded.
bool RunLogged(const std::string& folder, const std::string& command, const std::string& log);

/// True if HEAD has the folder of goldens but the work tree lacks it. Runs git only if the folder
/// is missing.
bool IsGone(const std::string& golden);

}  // namespace revctl::harness
