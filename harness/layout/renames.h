#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "golden/approval.h"
#include "golden/revision_record.h"

namespace revctl::harness {

/// Names that were accepted as names of the same thing.
class SameNames {
 public:
  void Add(const std::string& from, const std::string& to);
  bool empty() const { return older_.empty(); }
  /// One name for all that mean the same: the oldest that is known.
  const std::string& Oldest(const std::string& name) const;

 private:
  std::map<std::string, std::string> older_;  ///< no circles
};

/// Approved renames. Old records keep the old names; what today's code says is told with these
/// wherever both are compared.
class Renames {
 public:
  Renames() = default;
  explicit Renames(const std::vector<golden::Approval>& approvals);

  /// Another pair of names for one field or enumerator of `type`.
  void Add(const std::string& type, const std::string& from, const std::string& to);

  bool Approved(const std::string& type, const std::string& from, const std::string& to) const;

  /// Whether two names stand for one field or enumerator of `type`.
  bool Same(const std::string& type, const std::string& a, const std::string& b) const;

  /// What distinguishes `now` from `recorded`, renames left out. What is on both sides is told with
  /// the names that `recorded` has.
  std::vector<golden::Change> Compare(const std::vector<golden::Leaf>& recorded,
                                      const std::vector<golden::Leaf>& now) const;

  /// A path, or any code, with the oldest name for each word, whatever the type.
  std::string CanonicalPath(const std::string& path) const;

 private:
  std::set<std::tuple<std::string, std::string, std::string>> approved_;
  std::map<std::string, SameNames> of_type_;
  SameNames all_;                    ///< where it is not known whose a name is
  std::vector<std::string> dotted_;  ///< those of more than one word, `pos.x`; the longest first
};

}  // namespace revctl::harness
