#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/reading/list_config.h"
#include "revctl/pending/pending_file.h"
#include "revctl/pending/plan.h"
#include "revctl/workspace/workspace.h"

// Reads and writes the work tree's pending files for a list with `numbers: at-landing`. To read
// pending files from the index or from a commit, use Tree::Pending.
namespace revctl::commands {

inline bool AtLanding(const list::ListConfig& list) {
  return list.numbers == list::Numbers::AtLanding;
}

/// Returns the names of the revisions that are pending on the target, as of the last fetch.
base::Result<std::set<std::string>> PendingThere(const Workspace& workspace,
                                                 const list::ListConfig& list,
                                                 const std::optional<git::Oid>& target);

/// The pending files with their numbers, and the work tree's list without its pending revisions.
struct PendingHere {
  list::RevisionList list;
  std::vector<pending::PendingText> files;
  pending::Plan plan;
};
base::Result<PendingHere> ReadPending(const Workspace& workspace, const list::ListConfig& list);

/// Replaces `git rm` and `git mv` with `rm` and `mv` in the plan's fixes for untracked files,
/// because the git commands would fail. Treats all files as untracked if `repository` is null.
base::Result<base::Done> FixUntracked(const git::Repository* repository, const std::string& folder,
                                      const list::ListConfig& list, pending::Plan& plan);

/// Returns a line for each pending revision that the plan leaves out, with the reason, for printing
/// to stderr.
std::vector<std::string> BlockedLines(const list::ListConfig& list, const pending::Plan& plan);

/// Returns the text that WritePending writes.
base::Result<std::string> PendingFileText(const Workspace& workspace, const list::ListConfig& list,
                                          const std::string& name,
                                          const pending::PendingRevision& revision,
                                          const std::string& by = "");

/// Writes a pending file, its folder, and the file that keeps the folder in git. Fails if the
/// folder is a link or points outside the repository. A new file begins with a comment that names
/// `by`, so that two reservations of the same name conflict even if they are otherwise identical.
/// An existing file keeps its comment.
base::Result<base::Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& name,
                                      const pending::PendingRevision& revision,
                                      const std::string& by = "");

base::Result<base::Done> MakePendingFolder(const Workspace& workspace,
                                           const list::ListConfig& list);

/// The result of WriteInclude(): the plan for a list's pending files, and whether the include file
/// was written.
struct Synced {
  list::RevisionList list;  ///< the list without its pending revisions
  pending::Plan plan;
  bool written = false;
};

/// A list without its pending revisions, and its pending files.
struct ListAndFiles {
  list::RevisionList list;
  std::vector<pending::PendingText> files;
};

/// Reads a list with `numbers: at-landing` and its pending files. `root` is the folder of
/// `.revctl.yaml`. Does not need a repository.
base::Result<ListAndFiles> ReadListAndFiles(const std::string& root, const list::ListConfig& list);

/// Writes the include file of a list with `numbers: at-landing` if its content would change. `root`
/// is the folder of `.revctl.yaml`. Works without a repository, for example in a source archive.
/// The include file may be empty but is never deleted, because build systems mishandle headers that
/// come and go.
base::Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list);

/// True if the include file exists and differs from what WriteInclude would write, for example
/// after a pull in a clone without hooks.
base::Result<bool> IncludeIsStale(const std::string& root, const list::ListConfig& list);
/// The message that `check` and `status` print about a stale include file.
inline constexpr const char* kStaleInclude =
    "out of date, so the compiler sees different pending revisions than this tree contains";

}  // namespace revctl::commands
