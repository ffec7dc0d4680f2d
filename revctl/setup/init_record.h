#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A file that `init` wrote. The path is relative to the repository's root.
struct InitFile {
  std::string path;
  std::optional<std::string> before;  ///< nullopt if `init` created the file
  std::string after;
};

/// The changes of one run of `init`, stored in the git directory. `uninstall` uses the record to
/// undo them in the same clone, as long as nothing depends on them.
struct InitRecord {
  std::vector<InitFile> files;
  std::string ledger_ref;
  git::Oid ledger_tip;          ///< the ledger event that `init` wrote; empty if there is none
  bool created_ledger = false;  ///< true if `init` started the ledger
};

base::Result<base::Done> WriteInitRecord(const git::Repository& repository,
                                         const InitRecord& record);
/// Returns the record, or nullopt if this clone has none or an unreadable one.
std::optional<InitRecord> ReadInitRecord(const git::Repository& repository);
void ForgetInit(const git::Repository& repository);

/// The changes that an undo would make.
struct UndoPlan {
  InitRecord record;
  std::string why_not;          ///< why an undo is no longer possible; "" if
                                ///< it is possible
  bool has_landed = false;      ///< true if the target already has the config, so there is nothing
                                ///< to undo
  bool deletes_ledger = false;  ///< true if the ledger contains only the event that `init` wrote
  bool is_committed = false;    ///< true if HEAD contains `.revctl.yaml`
  /// Files that `init` created and that have been edited since.
  std::vector<std::string> edited;

  /// Returns the plan as text, one line for each change.
  std::string Text(const Workspace& workspace) const;
};

/// Plans an undo, based on the files in this clone and on `snapshot`, the server's current ledger.
base::Result<UndoPlan> PlanUndo(const Workspace& workspace, InitRecord record,
                                const ledger::Snapshot& snapshot);

/// Undoes `init`. Deletes the ledger with a lease before restoring the files, so that a reservation
/// made in the meantime stops the undo.
base::Result<base::Done> UndoInit(const Workspace& workspace, const UndoPlan& plan,
                                  const ledger::Ledger& ledger);

}  // namespace revctl::commands
