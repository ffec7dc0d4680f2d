#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "golden/approval.h"
#include "golden/revision_record.h"

namespace revctl::harness {

/// Groups of names that have the same meaning according to approvals.
class SameNames {
 public:
  void Add(const std::string& from, const std::string& to);
  bool empty() const { return older_.empty(); }
  /// Returns the oldest known name with the same meaning as `name`.
  const std::string& Oldest(const std::string& name) const;

 private:
  std::map<std::string, std::string> older_;  ///< maps each new name to an older one; has no cycles
};

/// Approved renames. Old records keep the old names, so comparisons translate the current names
/// back to the old ones.
class Renames {
 public:
  Renames() = default;
  explicit Renames(const std::vector<golden::Approval>& approvals);

  void Add(const std::string& type, const std::string& from, const std::string& to);

  bool Approved(const std::string& type, const std::string& from, const std::string& to) const;

  /// True if both names refer to the same field or enumerator of `type`.
  bool Same(const std::string& type, const std::string& a, const std::string& b) const;

  /// Returns the changes from `recorded` to `now` except renames. Paths and values use the names in
  /// `recorded`.
  std::vector<golden::Change> Compare(const std::vector<golden::Leaf>& recorded,
                                      const std::vector<golden::Leaf>& now) const;

  /// Replaces each word in a path or in code with the word's oldest name in any type.
  std::string CanonicalPath(const std::string& path) const;

 private:
  std::set<std::tuple<std::string, std::string, std::string>> approved_;
  std::map<std::string, SameNames> of_type_;
  SameNames all_;  ///< for names of unknown type
  /// names with several components, such as `pos.x`; longest first
  std::vector<std::string> dotted_;
};

}  // namespace revctl::harness
