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
  std::string key;  ///< key by which the finding was folded; TakeSorted copies it into the finding
  std::vector<std::string> mentioned = {};  ///< revisions that the message mentions
};

/// Collects findings. Findings that have the same cause at several revisions become a single
/// finding.
class Verdicts {
 public:
  /// Adds a finding for `finding.revision`. Findings with the same rule, type, field (ignoring
  /// element indices) and `cause` are folded: the first one is kept, and later ones only add their
  /// revisions. If `Finding::cause` is empty, sets it, because text output uses it to fold findings
  /// about several root types. Returns the finding's key, which its consequences need for
  /// `Finding::follows`.
  std::string Add(Finding finding, const std::string& cause,
                  std::vector<std::string> mentioned = {});
  /// Like Add, but also folds findings about different fields. Use it for consequences of a problem
  /// that another finding reports.
  std::string AddFollowing(Finding finding, const std::string& cause,
                           std::vector<std::string> mentioned = {});

  /// Returns the folded findings for Join.
  std::vector<FoldedFinding> TakeFolded();
  /// Adds the folded findings of another Verdicts as if they had been added to this one.
  void Join(std::vector<FoldedFinding> others);

  /// Returns all findings with their revisions, errors first.
  std::vector<FoldedFinding> TakeSorted();

 private:
  FoldedFinding& Folded(const std::string& key, Finding finding,
                        std::vector<std::string> mentioned);
  std::string AddUnder(std::string key, Finding finding, std::vector<std::string> mentioned);

  std::vector<FoldedFinding> folded_;
  std::map<std::string, std::size_t> by_key_;
};

/// A change that may be intended. The change is a finding until a person approves it with a reason.
struct Pending {
  golden::Approval approval;  ///< the approval, but without a reason
  std::string text;           ///< the finding's message, shown to the reviewer
  std::string fix;            ///< how to fix the change if it is not intended
};

/// Adds a change unless it is already present. Merges equal changes to the upgrades of several
/// goldens.
void AddPending(std::vector<Pending>& all, Pending pending);

}  // namespace revctl::harness
