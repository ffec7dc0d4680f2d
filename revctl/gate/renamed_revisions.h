#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/gate/facts.h"

namespace revctl::commands {

/// Searches the versions of a list on a branch for the change that replaced one revision with
/// another. The repository must outlive this object.
class RenameHistory {
 public:
  /// `tree` is any tree of the repository, and `names` contains the names to search for.
  RenameHistory(Tree tree, list::ListConfig list, std::set<std::string> names)
      : tree_(std::move(tree)), list_(std::move(list)), names_(std::move(names)) {}

  /// Adds the uncommitted version `here`. Its parents are HEAD and, during a merge, MERGE_HEAD.
  base::Result<base::Done> AddUncommitted(const list::RevisionList& here);
  /// Adds the versions in the commits that are reachable from `tip` but not from `target`.
  base::Result<base::Done> AddCommits(const git::Oid& target, const git::Oid& tip);
  /// True if `heir` replaced `landed` in some version, compared with its parents. False if the
  /// branch added `heir` before it had `landed`, or removed `landed` in an earlier commit. Also
  /// true if the versions are too large to search.
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
  std::size_t read_ = 0;  ///< bytes of list text parsed so far
};

/// Finds the landed revisions that a change has renamed (RV005), and the pending revisions that
/// replace a missing landed revision but are not renames of it. Reads history and sources only if a
/// landed revision is missing.
base::Result<Renames> FindRenames(const ListFacts& facts);

}  // namespace revctl::commands
