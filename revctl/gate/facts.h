#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/rules/rules.h"
#include "revctl/pending/plan.h"

// The facts that the rules of the gate check. They are read once, before the first rule runs. Rules
// are functions of facts that return findings. No rule sees the findings of another rule.
namespace revctl::commands {

/// The configs and commits of a change.
struct ChangeFacts {
  explicit ChangeFacts(const GateRequest& of)
      : request(of), config_path(of.prefix() + std::string(config::kFileName)) {}

  /// Returns the config that decides what the change may do: the target's config or, if the target
  /// has none yet, the config that the change adds.
  const config::Config& policy() const { return target ? *target : *ours; }
  /// Returns the tip of the target. Must only be called for a release whose target is known.
  const git::Oid& main_tip() const { return *request.release_of->tip; }
  /// True if the target has commits that the change does not contain.
  bool IsBehind() const {
    return base_commit && request.target.tip && *base_commit != *request.target.tip;
  }

  const GateRequest& request;
  std::string config_path;
  /// The change's config; nullopt if there was no config to protect or if the change removes it.
  std::optional<config::Config> ours;
  std::optional<config::Config> target;
  /// The merge base's config; nullopt if there is none or it is invalid. An invalid config is not
  /// an error here, because a config in the history cannot be fixed.
  std::optional<config::Config> base;
  /// why the target's config cannot be read; nullopt if it can
  std::optional<base::Error> target_error;
  /// true if the target has a config; set only if `ours` is missing
  bool target_has_config = false;
  std::optional<git::Oid> base_commit;
  /// Severity of findings about config changes that remove a protection.
  findings::Severity weakening_severity = findings::Severity::Error;
};

/// A version of a list: at the merge base, on the target, or in the change.
struct ListSide {
  /// Returns the list's path in this side's config, or "" if that config does not have the list.
  /// golden() does the same for the golden folder.
  std::string path() const { return config == nullptr ? "" : config->path; }
  std::string golden() const { return config == nullptr ? "" : config->golden; }

  /// from this side's `.revctl.yaml`; null if that file does not have the list
  const list::ListConfig* config = nullptr;
  std::optional<std::string> text;  ///< the list's file; nullopt if it does not exist
  /// Pending files; empty unless the list has `numbers: at-landing`.
  std::vector<pending::PendingText> pending;
};

/// The list that a plain text merge with the target produces, because git hosts merge as text.
struct MergedList {
  bool conflict = false;   ///< true if the texts conflict or the merged text cannot be parsed
  std::string unreadable;  ///< why the merged text cannot be parsed; "" if it can
  /// Merged list without the pending files; the change's own list if there is a conflict.
  list::RevisionList alone;
  list::RevisionList list;  ///< merged list with the pending files
  std::vector<pending::PendingText> pending;
  std::vector<std::string> clashes;  ///< names of pending files that both sides wrote differently
};

/// Landed revisions that the change may have renamed.
struct Renames {
  /// landed names that are missing from the list, by new name
  std::map<std::string, std::string> names;
  /// new names in `names` that code uses exactly where it used the landed name
  std::set<std::string> moved_in_code;
  /// pending revisions that replace a missing landed revision but are not renames of it
  std::set<std::string> own;
};

/// The reasons why all or part of a list cannot be read.
struct ReadProblems {
  int marker_line = 0;  ///< line of the first conflict marker; 0 if there is none
  /// why the change's list cannot be read; nullopt if it can
  std::optional<base::Error> unreadable;
  std::optional<base::Error> folder_error;  ///< set if the pending folder's path is not a folder
  /// name of a pending file that should not exist, because the list does not have `numbers:
  /// at-landing`; "" if there is none
  std::string file_without_landing;
  /// Why the target's list cannot be read. If this is set, the change is compared with itself.
  std::optional<base::Error> target_unreadable;
};

/// The facts about one list of a change. Refers to `change`, which must outlive it.
struct ListFacts {
  explicit ListFacts(const ChangeFacts& of) : change(of) {}

  const GateRequest& request() const { return change.request; }
  /// True if fixes may suggest git and revctl commands. Otherwise, they describe the edit to make.
  bool InRepository() const { return request().tree.InRepository(); }
  const config::Config& policy() const { return change.policy(); }
  bool AtLanding() const { return config.numbers == list::Numbers::AtLanding; }
  bool IsRelease() const { return request().release_of.has_value(); }
  /// True if the change's list can be parsed. Otherwise the gate only reports why not.
  bool IsReadable() const { return ours.text && problems.marker_line == 0 && !problems.unreadable; }
  const list::RevisionList* landed() const { return landed_list ? &*landed_list : nullptr; }
  /// Returns the target's revisions, including pending ones, or null if the target has no list.
  const list::RevisionList* on_target() const {
    return target_with_pending ? &*target_with_pending : landed();
  }
  /// True if the revision is on the target but no fold has assigned its number yet.
  bool IsPendingOnTarget(const std::string& name) const {
    return target_with_pending && target_with_pending->Find(name) != nullptr &&
           landed_list->Find(name) == nullptr;
  }
  /// Returns the list that the rules check: the merged list or, in the modes that do not merge, the
  /// change's own list with its pending revisions.
  const list::RevisionList& ListToCheck() const {
    return merged ? merged->list : request().Is(Mode::Commit) ? committed : whole;
  }
  /// Returns the change's revisions that have not landed, ordered by number. Omits landed revisions
  /// that the change has renamed.
  std::vector<const list::Entry*> Pending() const;
  /// Parses the text of a side. Returns nullopt if there is no text or it is not a valid list.
  std::optional<list::RevisionList> Parsed(const std::optional<std::string>& text) const;
  /// Returns the path of a pending file in the change.
  std::string PendingPath(const std::string& file_name) const;
  /// Returns a finding about the list. If the revision has a pending file, the finding points to
  /// that file.
  findings::Finding At(findings::RuleId rule, int line, const std::string& revision,
                       std::string message, findings::Fix fix) const;

  const ChangeFacts& change;
  /// Merged config: keys that this change did not touch come from the target.
  list::ListConfig config;
  std::string path;  ///< relative to the repository's root
  ListSide base, target, ours;
  /// True if this change adds the list: the configs of the merge base and the target do not name
  /// it, and the target has no list at its path. The target may have a file at that path that is
  /// not a list.
  bool is_new = false;
  bool stays_at_landing = true;   ///< true if the change's own config has `numbers: at-landing`
  bool turns_to_landing = false;  ///< true if the change switches the list to `numbers: at-landing`
  std::uint64_t landed_root = 0;  ///< `lineage_root` of the target's list
  ReadProblems problems;
  list::RevisionList alone;  ///< list of the change without pending revisions
  /// List of the change with pending revisions; empty if the list is unreadable.
  list::RevisionList whole;
  pending::Plan plan;  ///< fold plan for the change's pending files
  std::optional<list::RevisionList> landed_list;
  pending::Plan target_plan;  ///< fold plan for the target's pending files
  /// The target's list with its pending revisions; nullopt if the target has no pending revisions.
  std::optional<list::RevisionList> target_with_pending;
  list::RevisionList committed;  ///< for Mode::Commit: `alone` with the pending files of the commit
  std::optional<MergedList> merged;  ///< not set for Mode::Commit and Mode::Questions
  Renames renames;
};

/// Returns `merged` together with the lists and reservations that the rules of list/rules/ compare
/// it with. Without a known ledger, there are no reservations.
list::CheckedLists ListsToCheck(const ListFacts& facts, const list::RevisionList& merged);

/// Appends the findings of a rule to `out`. Returns the error if the rule could not run.
inline base::Result<base::Done> Append(Findings& out, base::Result<Findings> found) {
  if (!found.ok()) return found.error();
  for (findings::Finding& finding : *found) out.push_back(std::move(finding));
  return base::Done{};
}

/// Reads the configs and the merge base.
base::Result<ChangeFacts> ReadChange(const GateRequest& request);

/// Reads the lists in the change's config, or only the requested list.
base::Result<std::vector<ListFacts>> ReadLists(const ChangeFacts& change);

}  // namespace revctl::commands
