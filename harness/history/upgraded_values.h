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

/// A step of a path to a value: an object of a record type, and the field through which the path
/// continues.
struct PathStep {
  std::string type;
  std::string field;      ///< empty if the path ends at the object's CHECK_INTEGRITY
  std::size_t begin = 0;  ///< position in the path of the part inside the object
};

struct RecordedPath {
  std::vector<PathStep> steps;  ///< outermost step first; never empty
  /// false if the path leads through something other than records, whose objects are not in `steps`
  bool whole = true;
};

/// Follows `path` through the layouts at revision `index`.
RecordedPath PathTo(const History& history, std::size_t index, const std::string& root,
                    const std::string& path);

/// The values that upgrading old goldens added or changed, according to the records. Never reads a
/// payload.
class UpgradedValues {
 public:
  /// `records` contains the descriptors of all types passed to Look and of the types inside them.
  /// All arguments must outlive the UpgradedValues.
  UpgradedValues(const Registry& registry, const History& history, const Renames& renames,
                 const std::map<std::string, const revctl::TypeInfo*>& records)
      : registry_(registry), history_(history), renames_(renames), records_(records) {}

  struct Seen {
    bool goldens = false;  ///< true if a golden contains an object of the type
    bool changed = false;  ///< true if the upgrade may have changed a value in it
  };
  /// Examines the goldens of revisions with numbers in [from, to). A field newer than the golden
  /// counts as changed if its value differs from a fresh object's. If a path cannot be followed to
  /// its end, any type on it may have caused the change.
  Seen Look(const std::string& type, std::int64_t from, std::int64_t to);

 private:
  struct Changed {
    std::string path, text;
    bool fresh;  ///< true if the golden contains no value at this path
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
