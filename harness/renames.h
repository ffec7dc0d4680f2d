#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "golden/approval.h"
#include "golden/revision_record.h"

namespace harness {

/// Approved renames. Old records keep the old names; both sides of every comparison are brought to
/// the oldest name first.
class Renames {
 public:
  Renames() = default;
  explicit Renames(const std::vector<golden::Approval>& approvals);

  bool Approved(const std::string& type, const std::string& from, const std::string& to) const;

  /// What distinguishes `now` from `recorded`, renames left out. Paths and values have their oldest
  /// names.
  std::vector<golden::Change> Compare(const std::vector<golden::Leaf>& recorded,
                                      const std::vector<golden::Leaf>& now) const;

  /// A path with the oldest name of each step, as Compare gives it.
  std::string CanonicalPath(const std::string& path) const;

 private:
  std::string Oldest(const std::string& name) const;
  std::vector<golden::Leaf> Canonical(const std::vector<golden::Leaf>& leaves) const;

  std::set<std::tuple<std::string, std::string, std::string>> approved_;
  std::map<std::string, std::string> older_;  ///< new name: old name
};

}  // namespace harness
