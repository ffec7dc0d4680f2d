#pragma once
#include <optional>
#include <string>

#include "revctl/workspace/numbering.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// One list as the work tree, the target and the ledger have it: what nearly every command looks
/// at.
struct ListView {
  const list::ListConfig* config = nullptr;
  list::RevisionList working;
  std::optional<list::RevisionList> landed;  ///< nullopt: the target, or its list, does not exist
  /// names that the work tree's or the target's `.revctl.yaml` says were purged
  list::Names purged;
  ledger::ListState ledger;  ///< open reservations that have not landed
  bool ledger_known = false;
  bool reservation_required = true;

  Numbering numbering() const { return {landed ? &*landed : nullptr, &working, ledger, &purged}; }
  /// "landed", "pending", or "provisional": in the list with a number that the ledger does not
  /// confirm.
  std::string_view StateOf(const list::Entry& entry) const;
};

/// The list at the snapshot's target, and the ledger's part about it, joined with the work tree's
/// list.
base::Result<ListView> LookAt(const Workspace& workspace, const list::ListConfig& config,
                              const ledger::Snapshot& snapshot);

/// `config.purged`, with the names that the target's `.revctl.yaml` has beyond them: what was
/// purged there after this branch began. One that cannot be read adds nothing; the gate says so.
list::Names PurgedNames(const Workspace& workspace, const list::ListConfig& config,
                        const std::optional<git::Oid>& target);

/// "; did you mean SR_BOSS?" for a name that neither the list nor the ledger has, or nothing.
std::string NearName(const ListView& view, const std::string& name);

/// The ledger's state for writing: `snapshot`'s, with what has landed closed in this list.
ledger::State StateForWriting(const ledger::Snapshot& snapshot, const ListView& view);

/// The date of the newest event in this clone's copy of the ledger; empty where the ledger itself
/// is here, or none is known.
std::string LedgerCopyDate(const Workspace& workspace, const ledger::Snapshot& snapshot);

/// Says on stderr that an old commit is checked out, which is compared with today's `target`.
base::Result<base::Done> SayOldCommit(const Workspace& workspace, Session& session,
                                      const std::optional<git::Oid>& target);

/// 0 or 16 hex digits, as ParseConfig has checked them.
std::uint64_t LineageRoot(const list::ListConfig& config);

/// " --list NAME" where `config` has several.
std::string ListOption(const config::Config& config, const list::ListConfig& list);

/// `revctl renumber SR_X`, with --list where the repository has several.
std::string CommandFor(const Workspace& workspace, const list::ListConfig& list,
                       const std::string& command);

/// "2026-11-20 10:52" in UTC.
std::string DateText(std::int64_t seconds);

/// What is wrong where `land` records goldens and no list says where they are; empty: nothing.
std::string GoldensWithoutFolder(const config::Config& config);
/// Its mend.
inline constexpr const char* kNameGoldenFolder =
    "write `golden: FOLDER` beside the list's `path` in .revctl.yaml";

}  // namespace revctl::commands
