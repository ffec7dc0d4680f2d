#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::harness {

struct ProgramOutput {
  bool started = false;  ///< there is such a program
  bool ok = false;       ///< it exited with 0
  std::string text;      ///< what it said on stdout
};

/// Whether what a program complains about is for the person at the terminal.
enum class Complaints { Shown, Dropped };

/// Runs a program that is found by PATH, and waits. `words`: its name and its arguments, which no
/// shell sees. It reads nothing, and sees no variable of git's own, which in a hook are about
/// another repository.
ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints);

/// The git work tree that `folder` lies in: the nearest folder above it, or itself, with a `.git`.
/// Empty outside of one.
std::filesystem::path WorkTreeAround(const std::filesystem::path& folder);

/// A commit that brought revisions to the branch at hand.
struct PastCommit {
  std::string commit;
  std::vector<std::string> revisions;  ///< in the list's order
};

/// The list's file below the work tree `root`, as the configuration of the folder `golden` says.
base::Result<std::string> ListFile(const std::string& root, const std::string& golden);

/// Which commits of HEAD's first parents added the names to `list`, a file below `root`; oldest
/// first. Names that none added are left out.
base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names);

/// Runs a command line of the shell in `folder`; what it says goes to the file `log`.
bool RunLogged(const std::string& folder, const std::string& command, const std::string& log);

/// The folder of goldens is not there, though HEAD has it. git is asked only where it is not there.
bool IsGone(const std::string& golden);

}  // namespace revctl::harness
