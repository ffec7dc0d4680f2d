#pragma once
#include <map>
#include <string>
#include <vector>

#include "golden/approval.h"
#include "revctl/findings/rule_table.h"

namespace revctl::harness {

using revctl::findings::Finding;
using revctl::findings::Severity;

using revctl::findings::RuleId;

struct FoldedFinding {
  Finding finding;
  std::vector<std::string> revisions;
  std::string key;  ///< key by which it was folded; TakeSorted copies it into the finding
  std::vector<std::string> mentioned = {};  ///< revisions that the message mentions
};

/// Collects findings. Those with the same cause at several revisions become one.
class Verdicts {
 public:
  /// Adds a finding for `finding.revision`. Findings with equal rule, type, field (of any element)
  /// and `cause` are folded: the first one stays, and the others only add their revisions. Unless
  /// it has one, the finding gets a `Finding::cause`, by which text also folds root types.
  /// `mentioned` are the revisions that the message already names. Returns the finding's key, for
  /// `Finding::follows` of its consequences.
  std::string Add(Finding finding, const std::string& cause,
                  std::vector<std::string> mentioned = {});
  /// Like Add, but folds findings about different fields, too. For consequences of something
  /// reported elsewhere.
  std::string AddFollowing(Finding finding, const std::string& cause,
                           std::vector<std::string> mentioned = {});

  /// Returns the folded findings for Join.
  std::vector<FoldedFinding> TakeFolded();
  /// Adds folded findings of another instance as if they had been added here.
  void Join(std::vector<FoldedFinding> others);

  /// Returns all findings, errors first, then by type and field. Appends the revisions of each to
  /// its message, unless there is only one and the message mentions it.
  std::vector<FoldedFinding> TakeSorted();

  bool HasErrors() const;
  /// True if an error of `rule` about `type` was added for this revision.
  bool Has(RuleId rule, const std::string& type, const std::string& revision) const;

 private:
  FoldedFinding& Folded(const std::string& key, Finding finding,
                        std::vector<std::string> mentioned);
  std::string AddUnder(std::string key, Finding finding, std::vector<std::string> mentioned);

  std::vector<FoldedFinding> folded_;
  std::map<std::string, std::size_t> by_key_;
};

/// A change that may be intended. It is a finding until someone approves it with a reason.
struct Pending {
  golden::Approval approval;  ///< without a reason
  std::string text;           ///< text of the finding, for the reviewer
  std::string fix;            ///< fix if the change is not intended
};

/// Adds a change unless it is present already. Merges equal upgrades of several goldens.
void AddPending(std::vector<Pending>& all, Pending pending);

}  // namespace revctl::harness
