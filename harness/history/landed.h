#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// The revisions that have landed. With numbers at reserve, these are the revisions whose records
/// are on the target branch as this clone last saw it. Nothing is fetched, and outside git the
/// landed revisions are unknown. With numbers at landing, these are the revisions in the list, as
/// opposed to those in pending files.
class Landed {
 public:
  /// `golden` is the folder of the store. The keys `target` and `remote` of the `.revctl.yaml`
  /// above it name the target branch; the default is `origin/main`.
  explicit Landed(const std::string& golden);

  /// False if the landed revisions are unknown, because the target branch is needed and not
  /// available.
  bool known() const { return known_ || at_landing(); }
  bool Has(const std::string& revision) const {
    return at_landing() ? !IsUnfolded(revision) : HasFile(revision + ".yaml");
  }
  bool at_landing() const { return !pending_.empty(); }
  /// True if `revctl fold`, which sets REVCTL_FOLD, runs this program.
  static bool IsFold();
  /// True if the revision is in a pending file, in the work tree or in the commit being folded.
  bool IsUnfolded(const std::string& revision) const;
  /// True if the revision is pending on the target as well. The fold then refreshes its goldens,
  /// and sets REVCTL_FOLD while it does.
  bool IsForTheFold(const std::string& revision) const;
  /// Returns the landed revisions among `here` (the list of the work tree) that this branch started
  /// from or merged. Not every landed revision in the work tree qualifies: a revision of the branch
  /// below this one may have landed after other revisions that the work tree lacks.
  std::set<std::string> JoinedWith(const std::set<std::string_view>& here) const;
  /// True if there is a file of this name among the target's goldens.
  bool HasFile(const std::string& file) const { return names_.contains(file); }
  /// The name of the target branch for git commands: `origin/main`.
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
