#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// A step on the way to a value: an object's record type and the field that the path continues
/// with.
struct PathStep {
  std::string type;
  std::string field;      ///< empty for the object's CHECK_INTEGRITY
  std::size_t begin = 0;  ///< offset of the rest of the path
};

struct RecordedPath {
  std::vector<PathStep> steps;  ///< outermost first; never empty
  /// false if the path passes something other than a record, which may contain further objects
  bool whole = true;
};

/// Follows `path` through the layouts in force at revision `index`.
RecordedPath PathTo(const History& history, std::size_t index, const std::string& root,
                    const std::string& path);

/// Recorded upgrades of old goldens: the values that reading yields and that the golden lacks or
/// has differently. Uses only records and reads no payload.
class UpgradedValues {
 public:
  /// `records`: descriptors of all types passed to Look and of the types they contain. All
  /// arguments must outlive this.
  UpgradedValues(const Registry& registry, const History& history, const Renames& renames,
                 const std::map<std::string, const revctl::TypeInfo*>& records)
      : registry_(registry), history_(history), renames_(renames), records_(records) {}

  struct Seen {
    bool goldens = false;  ///< a golden of some root type contains an object of the type
    bool changed = false;  ///< a value in such an object may have been upgraded
  };
  /// Examines the goldens of revisions with numbers in [from, to). A field that is newer than its
  /// golden counts as changed if its value differs from that in a fresh object. If a path cannot be
  /// followed, any of its types may have caused the change.
  Seen Look(const std::string& type, std::int64_t from, std::int64_t to);

 private:
  struct Changed {
    std::string path, text;
    bool fresh;  ///< the golden has no such value
  };
  const std::vector<Changed>& ChangesOf(const Golden& golden);
  const std::vector<golden::Leaf>* FreshValues(const std::string& type);
  bool Holds(const Golden& golden, const std::string& type) const;
  bool IsDoing(const Changed& changed, const Golden& golden, const std::string& type);

  const Registry& registry_;
  const History& history_;
  const Renames& renames_;
  const std::map<std::string, const revctl::TypeInfo*>& records_;
  std::map<const Golden*, std::vector<Changed>> changes_;
  std::map<std::string, std::vector<golden::Leaf>> fresh_;
};

}  // namespace revctl::harness
