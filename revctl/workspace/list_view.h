#pragma once
#include <optional>
#include <string>

#include "revctl/workspace/numbering.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A list as seen in the work tree, on the target and in the ledger. Most commands start with a
/// ListView.
struct ListView {
  const list::ListConfig* config = nullptr;
  list::RevisionList working;
  std::optional<list::RevisionList> landed;  ///< nullopt if the target or its list does not exist
  /// names that are listed as purged in the `.revctl.yaml` of the work tree or of the target
  list::Names purged;
  /// the high-water mark, and open reservations whose revisions have not landed
  ledger::ListState ledger;
  bool ledger_known = false;
  bool reservation_required = true;

  Numbering numbering() const { return {landed ? &*landed : nullptr, &working, ledger, &purged}; }
  /// Returns "landed", "pending" or "provisional". An entry is provisional if the ledger has not
  /// confirmed the number that the list contains.
  std::string_view StateOf(const list::Entry& entry) const;
};

/// Reads the list from the work tree and from the snapshot's target, and its reservations from the
/// ledger.
base::Result<ListView> ReadListView(const Workspace& workspace, const list::ListConfig& config,
                                    const ledger::Snapshot& snapshot);

/// Returns `config.purged` and the names that the target's `.revctl.yaml` has purged since this
/// branch was created. Ignores an invalid config on the target, because the gate reports it.
list::Names PurgedNames(const Workspace& workspace, const list::ListConfig& config,
                        const std::optional<git::Oid>& target);

/// Returns "; did you mean SR_BOSS?" if `name` resembles a name in the list or the ledger,
/// otherwise "".
std::string NearName(const ListView& view, const std::string& name);

/// Resolves `given`, which is a revision's name or number, to a name. Looks up numbers in the list
/// and in the open reservations. Returns a name unchanged. Fails with Exit::Findings if no revision
/// or more than one revision has the number.
base::Result<std::string> NameOfRevision(const ListView& view, const std::string& given);

/// Returns the snapshot's ledger state without the reservations of this list that have landed.
ledger::State StateForWriting(const ledger::Snapshot& snapshot, const ListView& view);

/// Returns the date of the newest event in this clone's copy of the ledger. Returns "" if the
/// ledger is local to this repository or no event is known.
std::string LedgerCopyDate(const Workspace& workspace, const ledger::Snapshot& snapshot);

/// Returns a warning if an old commit is checked out, because the command compares it with the
/// current `target`. Otherwise returns "".
base::Result<std::string> OldCommitWarning(const Workspace& workspace,
                                           const std::optional<git::Oid>& target);

/// Returns `lineage_root` as a number. ParseConfig has already validated that it is 0 or 16 hex
/// digits.
std::uint64_t LineageRoot(const list::ListConfig& config);

/// Returns " --list NAME" if `config` contains several lists, otherwise "".
std::string ListOption(const config::Config& config, const list::ListConfig& list);

/// Returns `command`, followed by " --list NAME" if the repository has several lists.
std::string CommandFor(const Workspace& workspace, const list::ListConfig& list,
                       const std::string& command);

/// Returns the time in UTC in the form "2026-11-20 10:52".
std::string DateText(std::int64_t seconds);

/// Describes the checks that are missing because the config names no golden folder for some list.
struct MissingGoldens {
  std::string text;
  bool is_mistake = false;  ///< true if `land` has a `goldens` command, which then never runs
};
/// Returns nullopt if the config names a golden folder for every list.
std::optional<MissingGoldens> FindMissingGoldens(const config::Config& config);
/// The fix to print with MissingGoldens.
inline constexpr const char* kNameGoldenFolder = "add `golden: FOLDER` to the list in .revctl.yaml";
/// True if lists have golden folders, but `land` pushes to the target without a command that could
/// compare the code with the goldens.
bool LandsWithoutSaveTests(const config::Config& config);
/// The note to print in that case, and its fix.
inline constexpr const char* kLandsWithoutSaveTests =
    "revctl land does not run the save tests, because .revctl.yaml has no `verify` command";
inline constexpr const char* kNameVerifyCommand =
    "add `land: verify: COMMAND`, for example: cmake --build build && build/save_harness check";

}  // namespace revctl::commands
