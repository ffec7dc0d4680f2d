#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/gate/facts.h"

namespace revctl::commands {

/// The versions of a list on a branch, searched for the change that replaced one revision by
/// another. The repository must outlive it.
class RenameHistory {
 public:
  /// `tree` is any tree of the repository, and `names` are the names to search for.
  RenameHistory(Tree tree, list::ListConfig list, std::set<std::string> names)
      : tree_(std::move(tree)), list_(std::move(list)), names_(std::move(names)) {}

  /// Adds a version that is not committed yet, with HEAD as its parent; in a merge also MERGE_HEAD.
  base::Result<base::Done> AddUncommitted(const list::RevisionList& here);
  /// Adds the commits that `tip` reaches and `target` does not.
  base::Result<base::Done> AddCommits(const git::Oid& target, const git::Oid& tip);
  /// True if a version has `heir` in place of `landed`, which a parent still has. A branch that
  /// took the number of `landed` before it had that revision, or that removed it before, has not
  /// renamed it. Also true if the versions are too large to be searched.
  base::Result<bool> Replaces(const std::string& landed, const std::string& heir);

 private:
  using Numbers = std::map<std::string, std::int64_t, std::less<>>;
  struct Version {
    Numbers numbers;
    std::vector<git::Oid> parents;
  };

  Numbers NumbersOf(const list::RevisionList& list) const;
  base::Result<Numbers> NumbersAt(const git::Oid& commit);

  Tree tree_;
  list::ListConfig list_;
  std::set<std::string> names_;
  std::vector<Version> versions_;
  std::map<git::Oid, Numbers> numbers_;
  std::size_t read_ = 0;  ///< bytes of lists that were parsed
};

/// Finds the landed revisions that the list of a change has under another name (RV005), and the
/// pending ones in the place of a missing landed revision that are revisions of their own. Reads
/// history and sources only if there is such an entry.
base::Result<Renames> FindRenames(const ListFacts& facts);

}  // namespace revctl::commands
