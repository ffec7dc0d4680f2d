#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// Knows which revisions have landed. With numbers at reserve, these are the revisions that had a
/// record on the target branch at the last fetch; outside git, they are unknown. With numbers at
/// landing, the revisions in the list have landed, and revisions in pending files have not.
class Landed {
 public:
  /// `golden` is the store's folder. The keys `target` and `remote` of the `.revctl.yaml` above it
  /// name the target branch. The default is `origin/main`.
  explicit Landed(const std::string& golden);

  /// False if the target branch is needed but not available.
  bool known() const { return known_ || at_landing(); }
  bool Has(const std::string& revision) const {
    return at_landing() ? !IsUnfolded(revision) : HasFile(revision + ".yaml");
  }
  bool at_landing() const { return !pending_.empty(); }
  /// True if this program was started by `revctl fold`, which sets REVCTL_FOLD.
  static bool IsFold();
  /// True if the revision has a pending file in the work tree or in the commit that is being
  /// folded.
  bool IsUnfolded(const std::string& revision) const;
  /// True if the revision is also pending on the target, so the next fold will refresh its goldens.
  /// Always false during the fold itself, which sets REVCTL_FOLD.
  bool IsForTheFold(const std::string& revision) const;
  /// Returns the revisions in `here` (the work tree's list) that had landed when this branch
  /// started from the target or last merged it. Other landed revisions do not qualify. For example,
  /// if this branch is based on another topic branch, that branch may have landed after revisions
  /// that are missing here.
  std::set<std::string> JoinedWith(const std::set<std::string_view>& here) const;
  /// True if the target contains a golden file with this name.
  bool HasFile(const std::string& file) const { return names_.contains(file); }
  /// Returns the name of the target branch for git commands, such as `origin/main`.
  const std::string& branch() const { return branch_; }

 private:
  bool known_ = false;
  std::string golden_;
  std::string pending_;  ///< folder of pending files; empty with numbers at reserve
  std::string branch_;
  /// Returns the names of the list's golden files in a commit, even if these files are in a
  /// different folder in that commit. Returns nullopt if git does not know the commit.
  std::function<std::optional<std::set<std::string>>(const std::string& commit)> names_at_;
  std::set<std::string> names_;   ///< names of the golden files on the target
  std::set<std::string> folded_;  ///< names of the pending files in the commit that is being folded
};

}  // namespace revctl::harness
