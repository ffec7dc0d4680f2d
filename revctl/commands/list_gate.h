#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/commands/gate.h"
#include "revctl/list/revision_list.h"
#include "revctl/list/rules.h"

namespace revctl::commands {

/// One list on its three sides, as text; nullopt: the side has no such file.
struct ThreeSides {
  list::ListConfig config;  ///< how the list is read
  std::string path;         ///< from the repository's root
  std::optional<std::string> base, target, ours;
  std::optional<git::Oid> base_commit;
  /// The folder that each side's `.revctl.yaml` names; empty: none. `config.golden` is what they
  /// merge to.
  struct Folders {
    std::string base, target, ours;
  } golden;
  std::uint64_t landed_root = 0;  ///< lineage root of the target's list
};

/// The rules over one list: as it stands, as it merges, its lineages. Adds to `out`.
class ListGate {
 public:
  /// `request`, `policy` and `out` outlive it.
  ListGate(const GateRequest& request, const config::Config& policy, ThreeSides sides,
           std::vector<findings::Finding>& out);

  findings::Result<findings::Done> Run();

  const ThreeSides& sides() const { return sides_; }
  const GateRequest& request() const { return request_; }
  const config::Config& policy() const { return policy_; }
  const list::ListConfig& config() const { return sides_.config; }
  const list::RevisionList& ours() const { return ours_; }
  const list::RevisionList* landed() const { return landed_ ? &*landed_ : nullptr; }
  /// Revisions of this change that have not landed, ascending by number.
  std::vector<const list::Entry*> Pending() const;

  void Add(std::string rule, std::string message, int line, std::string revision, std::string fix,
           findings::Severity severity = findings::Severity::Error);

 private:
  void ReadLanded();
  list::JudgedLists Lists(const list::RevisionList& merged) const;
  void JudgeCommit();
  void JudgeMerged();
  void JudgeShifts(const list::RevisionList& merged);
  void JudgeLineages(const list::RevisionList& merged);
  /// Takes `found` over, with the places that people see: those of their own file.
  void Take(std::vector<findings::Finding> found);

  const GateRequest& request_;
  const config::Config& policy_;
  ThreeSides sides_;
  std::vector<findings::Finding>& out_;
  list::RevisionList ours_;
  std::optional<list::RevisionList> landed_;
};

/// RV016 for what cannot be read; an error `path:12:3: why` becomes a finding at line 12.
findings::Finding UnreadableList(const std::string& path, const findings::Error& error);

}  // namespace revctl::commands
