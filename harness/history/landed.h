#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// The revisions that have landed. With numbers at reserve, those whose records are on the target
/// branch as this clone saw it last; nothing is fetched, and outside of git it is unknown. With
/// numbers at landing, those that are in the list rather than in a pending file.
class Landed {
 public:
  /// `golden`: the folder of the store. The target branch is given by `target` and `remote` in the
  /// `.revctl.yaml` above it; default `origin/main`.
  explicit Landed(const std::string& golden);

  /// False if the target branch is not available.
  bool known() const { return known_ || at_landing(); }
  bool Has(const std::string& revision) const {
    return at_landing() ? !IsUnfolded(revision) : HasFile(revision + ".yaml");
  }
  bool at_landing() const { return !pending_.empty(); }
  /// True if `revctl fold` runs this program, which sets REVCTL_FOLD.
  static bool IsFold();
  /// True if the revision is in a pending file, in the work tree or in the commit being folded.
  bool IsUnfolded(const std::string& revision) const;
  /// True if it is also pending on the target. The fold then records its goldens again, with
  /// REVCTL_FOLD set.
  bool IsForTheFold(const std::string& revision) const;
  /// Returns the landed revisions among `here` (the list of the work tree) that this branch started
  /// from or merged. Not every landed revision in the work tree qualifies, because a revision of a
  /// lower branch of the stack may have landed after other revisions that the work tree lacks.
  std::set<std::string> JoinedWith(const std::set<std::string_view>& here) const;
  /// True if the target has a file of this name among the goldens.
  bool HasFile(const std::string& file) const { return names_.contains(file); }
  /// Name of the target branch for git commands: `origin/main`.
  const std::string& branch() const { return branch_; }

 private:
  bool known_ = false;
  std::string golden_;
  std::string pending_;  ///< folder of pending files; empty with numbers at reserve
  std::string branch_;
  /// Returns the names of the list's golden files in a commit, even if it has them in another
  /// folder; nullopt if git does not know the commit.
  std::function<std::optional<std::set<std::string>>(const std::string& commit)> names_at_;
  std::set<std::string> names_;   ///< golden files on the target
  std::set<std::string> folded_;  ///< pending files of the commit being folded
};

}  // namespace revctl::harness
