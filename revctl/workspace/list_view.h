#pragma once
#include <optional>
#include <string>

#include "revctl/workspace/numbering.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A list in the work tree, on the target and in the ledger. Most commands begin with a ListView.
struct ListView {
  const list::ListConfig* config = nullptr;
  list::RevisionList working;
  std::optional<list::RevisionList> landed;  ///< nullopt if the target or its list does not exist
  /// names purged according to `.revctl.yaml` of the work tree or the target
  list::Names purged;
  ledger::ListState ledger;  ///< open reservations that have not landed
  bool ledger_known = false;
  bool reservation_required = true;

  Numbering numbering() const { return {landed ? &*landed : nullptr, &working, ledger, &purged}; }
  /// Returns "landed", "pending" or "provisional" (in the list with a number that the ledger does
  /// not confirm).
  std::string_view StateOf(const list::Entry& entry) const;
};

/// Reads the list from the work tree and from the snapshot's target, and adds the ledger's
/// reservations for it.
base::Result<ListView> ReadListView(const Workspace& workspace, const list::ListConfig& config,
                                    const ledger::Snapshot& snapshot);

/// Returns `config.purged` plus the names that the target's `.revctl.yaml` has purged since this
/// branch began. An invalid config of the target adds nothing; the gate reports it.
list::Names PurgedNames(const Workspace& workspace, const list::ListConfig& config,
                        const std::optional<git::Oid>& target);

/// Returns "; did you mean SR_BOSS?" if `name` resembles one of the list or the ledger, else "".
std::string NearName(const ListView& view, const std::string& name);

/// Returns the snapshot's ledger state with the landed reservations of this list closed.
ledger::State StateForWriting(const ledger::Snapshot& snapshot, const ListView& view);

/// Returns the date of the newest event in this clone's copy of the ledger; "" if the ledger is in
/// this repository or no event is known.
std::string LedgerCopyDate(const Workspace& workspace, const ledger::Snapshot& snapshot);

/// Returns a warning if an old commit is checked out, because it is compared with the current
/// `target`; else "".
base::Result<std::string> OldCommitWarning(const Workspace& workspace,
                                           const std::optional<git::Oid>& target);

/// Parses `lineage_root`: 0, or 16 hex digits that ParseConfig has validated.
std::uint64_t LineageRoot(const list::ListConfig& config);

/// Returns " --list NAME" if `config` has several lists, else "".
std::string ListOption(const config::Config& config, const list::ListConfig& list);

/// Returns `command` with " --list NAME" if the repository has several lists.
std::string CommandFor(const Workspace& workspace, const list::ListConfig& list,
                       const std::string& command);

/// Returns UTC time such as "2026-11-20 10:52".
std::string DateText(std::int64_t seconds);

/// A description of the lists without a golden folder, whose goldens are not checked.
struct MissingGoldens {
  std::string text;
  bool is_mistake = false;  ///< `land` has a `goldens` command, which never runs
};
/// Returns nullopt if each list names its golden folder.
std::optional<MissingGoldens> FindMissingGoldens(const config::Config& config);
/// The fix for FindMissingGoldens.
inline constexpr const char* kNameGoldenFolder = "add `golden: FOLDER` to the list in .revctl.yaml";

}  // namespace revctl::commands
