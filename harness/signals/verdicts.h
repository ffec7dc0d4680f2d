#pragma once
#include <map>
#include <string>
#include <vector>

#include "golden/approval.h"
#include "revctl/findings/finding.h"

namespace revctl::harness {

using revctl::findings::Finding;
using revctl::findings::Severity;

/// Rules of the harness; docs/rules.md says what each means.
namespace rule {
inline constexpr const char* kLayout = "GH001";
inline constexpr const char* kBytes = "GH002";
inline constexpr const char* kValue = "GH003";
inline constexpr const char* kUpgrade = "GH004";
inline constexpr const char* kStability = "GH005";
inline constexpr const char* kRefusal = "GH006";
inline constexpr const char* kCoverage = "GH007";
inline constexpr const char* kType = "GH008";
inline constexpr const char* kStore = "GH009";
}  // namespace rule

/// A finding, and every revision at which it holds.
struct FoldedFinding {
  Finding finding;
  std::vector<std::string> revisions;
  std::string key;  ///< what it was folded under
};

/// What the signals say, gathered: what breaks at several revisions for one cause is one finding.
class Verdicts {
 public:
  /// `finding.revision` is the revision at which it was met. Findings with the same rule, type,
  /// field (of whatever element) and `cause` are folded: the first one stays, the others only add
  /// their revisions.
  void Add(Finding finding, const std::string& cause);
  /// The same, but folds whatever the field: for what only follows from something that is told
  /// elsewhere.
  void AddFollowing(Finding finding, const std::string& cause);

  /// What was gathered so far, for Join.
  std::vector<FoldedFinding> TakeFolded();
  /// Goes on with what another one gathered before, as if it had been added here.
  void Join(std::vector<FoldedFinding> others);

  /// All findings: errors first, then by type and field; each says at which revisions it holds.
  std::vector<FoldedFinding> TakeSorted();

  bool HasErrors() const;
  /// Whether an error of `rule` about `type` was added for this revision.
  bool Has(const std::string& rule, const std::string& type, const std::string& revision) const;

 private:
  FoldedFinding& Folded(const std::string& key, Finding finding);
  void AddUnder(const std::string& key, Finding finding);

  std::vector<FoldedFinding> folded_;
  std::map<std::string, std::size_t> by_key_;
};

/// A change that may be meant: a person can accept it with a reason. Until then it is a finding.
struct Pending {
  golden::Approval approval;  ///< without a reason
  std::string text;           ///< what the finding says, for the one who decides
  std::string fix;            ///< what mends it if it is not meant
};

/// Adds a change; one that is there already is not added again, and equal upgrades of several
/// goldens are one.
void AddPending(std::vector<Pending>& all, Pending pending);

}  // namespace revctl::harness
