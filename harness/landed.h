#pragma once
#include <set>
#include <string>

namespace harness {

/// Which revisions have landed: those whose records the team's target branch has, as this clone saw
/// it last. Nothing is fetched. The harness works without git as well; then nobody knows.
class Landed {
 public:
  /// `golden`: the folder of the store. The branch is `target` of `remote`, as the `.revctl.yaml`
  /// above it has them
  /// (`main` of `origin`).
  explicit Landed(const std::string& golden);

  /// Whether the branch is there.
  bool known() const { return known_; }
  bool Has(const std::string& revision) const { return HasFile(revision + ".yaml"); }
  /// Whether the branch has a file of this name in the folder.
  bool HasFile(const std::string& file) const { return names_.contains(file); }
  /// The branch, as a command takes it: `origin/main`.
  const std::string& branch() const { return branch_; }

 private:
  bool known_ = false;
  std::string branch_;
  std::set<std::string> names_;  ///< of the files that the branch has in the folder
};

}  // namespace harness
