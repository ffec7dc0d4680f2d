#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/gate.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/rules/rules.h"
#include "revctl/pending/plan.h"

namespace revctl::commands {

/// The text of one list at the merge base, on the target and in the change; nullopt if missing.
struct ThreeSides {
  list::ListConfig config;
  std::string path;  ///< relative to the repository's root
  std::optional<std::string> base, target, ours;
  std::optional<git::Oid> base_commit;
  /// `path` of the list in the base's and the target's `.revctl.yaml`; empty if not there.
  std::string base_path, target_path;
  /// The golden folder in each `.revctl.yaml`; empty if there is none. `config.golden` is the
  /// merged value.
  struct Folders {
    std::string base, target, ours;
  } golden;
  /// Pending files of each side; empty unless numbers are given at landing.
  struct Pending {
    std::vector<pending::PendingText> base, target, ours;
    bool stays = true;   ///< the list keeps `numbers: at-landing`
    bool turns = false;  ///< the change switches to `numbers: at-landing`
  } pending;
  std::uint64_t landed_root = 0;  ///< `lineage_root` of the target's list
};

/// Checks one list: as it is, as it merges, and its lineages. Appends findings to `out`.
class ListGate {
 public:
  /// `request`, `policy` and `out` must outlive this object.
  ListGate(const GateRequest& request, const config::Config& policy, ThreeSides sides,
           std::vector<findings::Finding>& out);

  base::Result<base::Done> Run();

  const ThreeSides& sides() const { return sides_; }
  const GateRequest& request() const { return request_; }
  const config::Config& policy() const { return policy_; }
  const list::ListConfig& config() const { return sides_.config; }
  /// including pending revisions
  const list::RevisionList& ours() const { return ours_; }
  const list::RevisionList* landed() const { return landed_ ? &*landed_ : nullptr; }
  /// True if the revision is on the target and no fold has numbered it yet.
  bool IsPendingThere(const std::string& name) const {
    return there_ && there_->Find(name) != nullptr && landed_->Find(name) == nullptr;
  }
  /// Returns the target's revisions, including pending ones.
  const list::RevisionList* there() const { return there_ ? &*there_ : landed(); }
  /// Numbers planned for the pending files of the change.
  const pending::Plan& plan() const { return plan_; }
  /// Returns the revisions of the change that have not landed, ascending by number.
  std::vector<const list::Entry*> Pending() const;

  /// The reference is valid until the next finding is added.
  findings::Finding& Add(findings::RuleId rule, std::string message, int line, std::string revision,
                         std::string fix, findings::Severity severity = findings::Severity::Error);

  /// Adds a finding at a place outside the list.
  void AddAt(std::string file, int line, findings::Finding finding);

 private:
  bool AtLanding() const { return sides_.config.numbers == list::Numbers::AtLanding; }
  std::string LastReadable() const;
  bool IsAddedByHand() const;
  void ReadLanded();
  /// Returns `list` with those of `files` that have not landed. Undoing a fold brings pending files
  /// back; they must not replace the landed entries.
  base::Result<list::RevisionList> WithPending(
      const list::RevisionList& list, const std::vector<pending::PendingText>& files) const;
  list::CheckedLists Lists(const list::RevisionList& merged) const;
  void CheckIncludes();
  base::Result<base::Done> CheckCommit();
  base::Result<base::Done> CheckMergedList();
  void DropNumbersOfHand(std::vector<findings::Finding>& found) const;
  void CheckShifts(const list::RevisionList& merged);
  list::RevisionList WithoutLate(list::RevisionList merged) const;
  void CheckLineages(const list::RevisionList& merged);
  /// Adds `found`, after moving findings about pending revisions to their own files.
  void Take(std::vector<findings::Finding> found);

  const GateRequest& request_;
  const config::Config& policy_;
  ThreeSides sides_;
  std::vector<findings::Finding>& out_;
  list::RevisionList alone_;  ///< the list of the change, without pending revisions
  list::RevisionList ours_;
  std::optional<list::RevisionList> landed_;
  std::optional<list::RevisionList> there_;  ///< set only if it differs from `landed_`
  pending::Plan plan_;
};

/// Returns RV016 for an unreadable list. An error `path:12:3: why` becomes a finding at line 12.
findings::Finding UnreadableList(const std::string& path, const base::Error& error);

}  // namespace revctl::commands
