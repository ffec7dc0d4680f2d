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

// What the rules of the gate check. The facts are read once, before any rule runs. Rules are
// functions of facts that return findings, and no rule sees the findings of another.
namespace revctl::commands {

/// The configs and commits of a change.
struct ChangeFacts {
  explicit ChangeFacts(const GateRequest& of)
      : request(of), config_path(of.prefix() + std::string(config::kFileName)) {}

  /// Returns the config that decides what the change may do: the target's, or the one that the
  /// change adds as long as the target has none.
  const config::Config& policy() const { return target ? *target : *ours; }
  /// Returns the tip of the target, for a release whose target is known.
  const git::Oid& main_tip() const { return *request.release_of->tip; }

  const GateRequest& request;
  std::string config_path;
  std::optional<config::Config> ours;  ///< nullopt: nothing to protect, or removed by the change
  std::optional<config::Config> target;
  std::optional<config::Config> base;       ///< nullopt also if it is invalid: it cannot be fixed
  std::optional<base::Error> target_error;  ///< why the target's config cannot be read
  bool target_has_config = false;           ///< set if `ours` is missing
  std::optional<git::Oid> base_commit;
  /// Severity of a config change that removes a protection.
  findings::Severity weakening_severity = findings::Severity::Error;
};

/// One version of a list: at the merge base, on the target, or in the change.
struct ListSide {
  /// Returns a path or the golden folder of the side's config; empty if it is not there.
  std::string path() const { return config == nullptr ? "" : config->path; }
  std::string golden() const { return config == nullptr ? "" : config->golden; }

  const list::ListConfig* config = nullptr;   ///< in the side's `.revctl.yaml`
  std::optional<std::string> text;            ///< nullopt if there is no such file
  std::vector<pending::PendingText> pending;  ///< empty unless numbers are given at landing
};

/// The list *as a plain text merge with the target makes it*, because hosts merge that way.
struct MergedList {
  bool conflict = false;   ///< the texts do not merge, or the merged text cannot be parsed
  std::string unreadable;  ///< why the merged text cannot be parsed
  /// without the pending files; in a conflict, the list of the change
  list::RevisionList alone;
  list::RevisionList list;                    ///< with the pending files
  std::vector<pending::PendingText> pending;  ///< the merged pending files
  std::vector<std::string> clashes;           ///< pending files that both sides wrote
};

/// Landed revisions that the change may have renamed.
struct Renames {
  /// by new name: the landed name, which the list lacks
  std::map<std::string, std::string> names;
  /// those of `names` that code uses exactly where it used the landed name
  std::set<std::string> moved_in_code;
  /// pending revisions in the place of a missing landed one that are revisions of their own
  std::set<std::string> own;
};

/// What prevents a list from being read, or parts of it.
struct ReadProblems {
  int marker_line = 0;                      ///< of the first conflict marker
  std::optional<base::Error> unreadable;    ///< why the change's list cannot be read
  std::optional<base::Error> folder_error;  ///< the pending folder is not a folder
  std::string file_without_landing;  ///< a pending file although numbers are not given at landing
  /// why the target's list cannot be read; then the change is compared with itself
  std::optional<base::Error> target_unreadable;
};

/// One list of a change. The sides' configs belong to `change`, which must outlive it.
struct ListFacts {
  explicit ListFacts(const ChangeFacts& of) : change(of) {}

  const GateRequest& request() const { return change.request; }
  /// True if fixes may be commands of git and revctl. Otherwise they say what to edit.
  bool InRepository() const { return request().tree.InRepository(); }
  const config::Config& policy() const { return change.policy(); }
  bool AtLanding() const { return config.numbers == list::Numbers::AtLanding; }
  bool IsRelease() const { return request().release_of.has_value(); }
  /// True if the list can be parsed. Otherwise only the reason is reported.
  bool IsReadable() const { return ours.text && problems.marker_line == 0 && !problems.unreadable; }
  const list::RevisionList* landed() const { return landed_list ? &*landed_list : nullptr; }
  /// Returns the target's revisions, including pending ones.
  const list::RevisionList* on_target() const {
    return target_with_pending ? &*target_with_pending : landed();
  }
  /// True if the revision is on the target and no fold has numbered it yet.
  bool IsPendingOnTarget(const std::string& name) const {
    return target_with_pending && target_with_pending->Find(name) != nullptr &&
           landed_list->Find(name) == nullptr;
  }
  /// Returns the list that the rules of list/rules/ check: as it merges, or as it is.
  const list::RevisionList& ListToCheck() const {
    return merged ? merged->list : request().Is(Mode::Commit) ? committed : whole;
  }
  /// Returns the revisions of the change that have not landed, without new names of landed ones,
  /// ascending by number.
  std::vector<const list::Entry*> Pending() const;
  /// Parses the text of a side; nullopt if there is none or it is invalid.
  std::optional<list::RevisionList> Parsed(const std::optional<std::string>& text) const;
  /// Returns the path of a pending file of the change.
  std::string PendingPath(const std::string& file_name) const;
  /// Returns a finding about the list, in the pending file if the revision has one.
  findings::Finding At(findings::RuleId rule, int line, const std::string& revision,
                       std::string message, findings::Fix fix) const;

  const ChangeFacts& change;
  list::ListConfig config;  ///< merged: the keys that this change did not touch are the target's
  std::string path;         ///< relative to the repository's root
  ListSide base, target, ours;
  /// This change brings the list: the target's `.revctl.yaml` does not name it, and the file has no
  /// list there, although it may exist with other content.
  bool is_new = false;
  bool stays_at_landing = true;   ///< the change keeps `numbers: at-landing`
  bool turns_to_landing = false;  ///< the change switches to `numbers: at-landing`
  std::uint64_t landed_root = 0;  ///< `lineage_root` of the target's list
  ReadProblems problems;
  list::RevisionList alone;  ///< the list of the change, without pending revisions
  list::RevisionList whole;  ///< including pending revisions; empty if the list is unreadable
  pending::Plan plan;        ///< of the pending files of the change
  std::optional<list::RevisionList> landed_list;
  pending::Plan target_plan;                              ///< of the target's pending files
  std::optional<list::RevisionList> target_with_pending;  ///< set only if it differs
  list::RevisionList committed;      ///< for Mode::Commit: `alone` with its pending files
  std::optional<MergedList> merged;  ///< except for Mode::Commit and Mode::Questions
  Renames renames;
};

/// Returns what the rules of list/rules/ compare `merged` with.
list::CheckedLists ListsToCheck(const ListFacts& facts, const list::RevisionList& merged);

/// Appends what a rule has found. Returns the error of a rule that could not run.
inline base::Result<base::Done> Append(Findings& out, base::Result<Findings> found) {
  if (!found.ok()) return found.error();
  for (findings::Finding& finding : *found) out.push_back(std::move(finding));
  return base::Done{};
}

/// Reads the configs and the merge base.
base::Result<ChangeFacts> ReadChange(const GateRequest& request);

/// Reads the lists of the change's config, or only the requested one.
base::Result<std::vector<ListFacts>> ReadLists(const ChangeFacts& change);

}  // namespace revctl::commands
