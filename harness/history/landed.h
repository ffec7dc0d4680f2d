#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// Which revisions have landed. Where numbers are given at reserve: those whose records the team's
/// target branch has, as this clone saw it last; nothing is fetched, and without git it is not
/// known. Where they are given at landing: those that stand in the list, and not in a pending file.
class Landed {
 public:
  /// `golden`: the folder of the store. The branch is `target` of `remote`, as the `.revctl.yaml`
  /// above it has them
  /// (`main` of `origin`).
  explicit Landed(const std::string& golden);

  /// Whether the branch is there.
  bool known() const { return known_ || at_landing(); }
  bool Has(const std::string& revision) const {
    return at_landing() ? !IsUnfolded(revision) : HasFile(revision + ".yaml");
  }
  /// Numbers are given at landing.
  bool at_landing() const { return !pending_.empty(); }
  /// `revctl fold` runs this program, and says so by REVCTL_FOLD.
  static bool IsFold();
  /// The revision stands in a pending file: here, or in the commit that a fold is just made of.
  bool IsUnfolded(const std::string& revision) const;
  /// It does so on the target, too: its goldens are for the fold to refresh, which says so by
  /// REVCTL_FOLD.
  bool IsForTheFold(const std::string& revision) const;
  /// Those of `here`, the revisions of the list in the work tree, that have landed and that this
  /// work was begun behind or joined with. A revision of the branch below this one may have landed
  /// since, behind others that the work tree lacks.
  std::set<std::string> JoinedWith(const std::set<std::string_view>& here) const;
  /// Whether the branch has a file of this name among the list's goldens.
  bool HasFile(const std::string& file) const { return names_.contains(file); }
  /// The branch, as a command takes it: `origin/main`.
  const std::string& branch() const { return branch_; }

 private:
  bool known_ = false;
  std::string golden_;
  std::string pending_;  ///< the folder of pending files; empty where numbers are given at reserve
  std::string branch_;
  /// Names of the files that a commit has among the list's goldens, wherever that folder is there;
  /// nullopt where git knows no such commit.
  std::function<std::optional<std::set<std::string>>(const std::string& commit)> names_at_;
  std::set<std::string> names_;   ///< of the files that the branch has among them
  std::set<std::string> folded_;  ///< pending files of the commit that a fold is made of
};

}  // namespace revctl::harness
