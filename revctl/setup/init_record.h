#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A file that `init` wrote, relative to the repository's root.
struct InitFile {
  std::string path;
  std::optional<std::string> before;  ///< nullopt if `init` created the file
  std::string after;
};

/// The changes of one run of `init`, so that `uninstall` can undo them in the same clone as long as
/// nothing depends on them. Kept in the git directory, and removed by the undo.
struct InitRecord {
  std::vector<InitFile> files;
  std::string ledger_ref;
  git::Oid ledger_tip;          ///< the event that `init` wrote; empty if it wrote none
  bool created_ledger = false;  ///< there was no ledger before
};

base::Result<base::Done> WriteInitRecord(const git::Repository& repository,
                                         const InitRecord& record);
/// Returns nullopt if this clone has no record, or one that cannot be read.
std::optional<InitRecord> ReadInitRecord(const git::Repository& repository);
void ForgetInit(const git::Repository& repository);

/// The changes that an undo would make. `why_not` is set if something already depends on the start.
struct UndoPlan {
  InitRecord record;
  std::string why_not;              ///< a sentence, or ""
  bool has_landed = false;          ///< the target has the config; there is nothing to undo
  bool deletes_ledger = false;      ///< the ledger has no event but the one that `init` wrote
  bool is_committed = false;        ///< HEAD has `.revctl.yaml`
  std::vector<std::string> edited;  ///< created files that were edited since

  /// Returns a line for each change.
  std::string Text(const Workspace& workspace) const;
};

/// Decides on the basis of the files here and of `snapshot`, the current ledger of the server.
base::Result<UndoPlan> PlanUndo(const Workspace& workspace, InitRecord record,
                                const ledger::Snapshot& snapshot);

/// Deletes the ledger first, with a lease, so that a reservation made meanwhile stops the undo.
/// Then restores the files.
base::Result<base::Done> UndoInit(const Workspace& workspace, const UndoPlan& plan,
                                  const ledger::Ledger& ledger);

}  // namespace revctl::commands
