#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/reading/list_config.h"
#include "revctl/pending/pending_file.h"
#include "revctl/pending/plan.h"
#include "revctl/session/session.h"
#include "revctl/tree/file_tree.h"
#include "revctl/workspace/workspace.h"

// The pending files of a list with `numbers: at-landing`, from wherever they are.
namespace revctl::commands {

inline bool AtLanding(const list::ListConfig& list) {
  return list.numbers == list::Numbers::AtLanding;
}

/// The pending files of a commit; `folder` is that of `.revctl.yaml`, with its final '/'. Links and
/// large files are told as unreadable. Empty where the list is numbered at once.
base::Result<std::vector<pending::PendingText>> PendingFilesAt(const git::Repository& repository,
                                                               const git::Oid& commit,
                                                               const std::string& folder,
                                                               const list::ListConfig& list);

/// An Error (Usage) where a commit has a file, a link or a submodule in the place of that folder.
base::Result<base::Done> MustBeFolder(const git::Repository& repository, const git::Oid& commit,
                                      const std::string& folder);
/// The same of a side that is judged.
base::Result<base::Done> MustBeFolder(const git::Repository& repository, const FileTree& side,
                                      const std::string& folder);

/// Those of a side that is judged.
base::Result<std::vector<pending::PendingText>> PendingFilesOf(const git::Repository& repository,
                                                               const FileTree& side,
                                                               const std::string& folder,
                                                               const list::ListConfig& list);

/// Names that are pending on the target, as the last fetch saw it.
base::Result<std::set<std::string>> PendingThere(const Workspace& workspace,
                                                 const list::ListConfig& list,
                                                 const std::optional<git::Oid>& target);

/// The work tree's list by itself, its pending files, and what they come to.
struct PendingHere {
  list::RevisionList list;
  std::vector<pending::PendingText> files;
  pending::Plan plan;
};
base::Result<PendingHere> ReadPending(const Workspace& workspace, const list::ListConfig& list);

/// `list`, of a commit, with the pending revisions that stand beside it there.
base::Result<list::RevisionList> WithPendingAt(const git::Repository& repository,
                                               const git::Oid& commit, const std::string& folder,
                                               const list::ListConfig& config,
                                               const list::RevisionList& list);

/// `git rm` and `git mv` mend nothing in files of a work tree that git does not have: a plain `rm`
/// or `mv` does.
base::Result<base::Done> MendUntracked(const git::Repository& repository, const std::string& folder,
                                       const list::ListConfig& list, pending::Plan& plan);

/// Why pending revisions are left out of what was read, a line each, for stderr.
std::vector<std::string> BlockedLines(const list::ListConfig& list, const pending::Plan& plan);

/// Writes a pending file, its folder, and the file that keeps the folder in git. An Error where the
/// folder is a link or leads out of the repository. A new file begins with a comment that names
/// `by`: where two people reserve one name with the same words, their files conflict all the same.
/// A file that is there keeps its comment.
base::Result<base::Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& name,
                                      const pending::PendingRevision& revision,
                                      const std::string& by = "");

/// The folder alone, with what keeps it in git.
base::Result<base::Done> MakePendingFolder(const Workspace& workspace,
                                           const list::ListConfig& list);

/// What a list's pending files come to, and whether its include file had to be written.
struct Synced {
  list::RevisionList list;  ///< by itself
  pending::Plan plan;
  bool written = false;
};

/// Writes the include file of a list with `numbers: at-landing`, where it would change; `root` is
/// the folder of `.revctl.yaml`. Needs no repository: a source archive builds, too. It is written
/// when it is empty as well, and never deleted: builds go wrong where a header comes and goes.
base::Result<Synced> WriteInclude(const std::string& root, const list::ListConfig& list);

/// The include file is there, and is not what WriteInclude would write: a pull without hooks has
/// left it as it was.
base::Result<bool> IncludeIsStale(const std::string& root, const list::ListConfig& list);
/// What `check` and `status` say then.
inline constexpr const char* kStaleInclude =
    "the compiler sees other pending revisions than this tree has";

}  // namespace revctl::commands
