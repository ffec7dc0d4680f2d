#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/gate/gate.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/rules/rules.h"
#include "revctl/pending/plan.h"

namespace revctl::commands {

/// One list on its three sides, as text; nullopt: the side has no such file.
struct ThreeSides {
  list::ListConfig config;  ///< how the list is read
  std::string path;         ///< from the repository's root
  std::optional<std::string> base, target, ours;
  std::optional<git::Oid> base_commit;
  /// `path` of the list in the other sides' `.revctl.yaml`; empty: it is not there.
  std::string base_path, target_path;
  /// The folder that each side's `.revctl.yaml` names; empty: none. `config.golden` is what they
  /// merge to.
  struct Folders {
    std::string base, target, ours;
  } golden;
  /// Pending files of each side; empty where numbers are given when they are reserved.
  struct Pending {
    std::vector<pending::PendingText> base, target, ours;
    bool stays = true;   ///< the change keeps numbers at landing
    bool turns = false;  ///< the change begins with numbers at landing
  } pending;
  std::uint64_t landed_root = 0;  ///< lineage root of the target's list
};

/// The rules over one list: as it stands, as it merges, its lineages. Adds to `out`.
class ListGate {
 public:
  /// `request`, `policy` and `out` outlive it.
  ListGate(const GateRequest& request, const config::Config& policy, ThreeSides sides,
           std::vector<findings::Finding>& out);

  base::Result<base::Done> Run();

  const ThreeSides& sides() const { return sides_; }
  const GateRequest& request() const { return request_; }
  const config::Config& policy() const { return policy_; }
  const list::ListConfig& config() const { return sides_.config; }
  /// With its pending revisions.
  const list::RevisionList& ours() const { return ours_; }
  const list::RevisionList* landed() const { return landed_ ? &*landed_ : nullptr; }
  /// It is on the target, and a fold has not numbered it yet.
  bool IsPendingThere(const std::string& name) const {
    return there_ && there_->Find(name) != nullptr && landed_->Find(name) == nullptr;
  }
  /// What has landed, with what is pending there.
  const list::RevisionList* there() const { return there_ ? &*there_ : landed(); }
  /// Numbers of this side's pending files.
  const pending::Plan& plan() const { return plan_; }
  /// Revisions of this change that have not landed, ascending by number.
  std::vector<const list::Entry*> Pending() const;

  void Add(std::string rule, std::string message, int line, std::string revision, std::string fix,
           findings::Severity severity = findings::Severity::Error);

  /// The same at another place than the list's.
  void AddAt(std::string file, int line, findings::Finding finding);

 private:
  bool AtLanding() const { return sides_.config.numbers == list::Numbers::AtLanding; }
  std::string LastReadable() const;
  bool IsAddedByHand() const;
  void ReadLanded();
  /// `list` with those of `files` that have not landed. A fold that is undone brings files back:
  /// none of them stands in for the entry that a landed revision has.
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
  /// Takes `found` over, with the places that people see: those of their own file.
  void Take(std::vector<findings::Finding> found);

  const GateRequest& request_;
  const config::Config& policy_;
  ThreeSides sides_;
  std::vector<findings::Finding>& out_;
  list::RevisionList alone_;  ///< this side's, without its pending revisions
  list::RevisionList ours_;
  std::optional<list::RevisionList> landed_;
  std::optional<list::RevisionList> there_;  ///< only where it differs from `landed_`
  pending::Plan plan_;
};

/// RV016 for what cannot be read; an error `path:12:3: why` becomes a finding at line 12.
findings::Finding UnreadableList(const std::string& path, const base::Error& error);

}  // namespace revctl::commands
