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

/// An object around a value of a golden: its record type, and the field of it that leads on.
struct PathStep {
  std::string type;
  std::string field;      ///< empty for the object's counter
  std::size_t begin = 0;  ///< where the path goes on below the object
};

/// The way from the root to a value, by its path.
struct RecordedPath {
  std::vector<PathStep> steps;  ///< outermost first; never empty
  bool whole = true;  ///< false where something that is no record stands between, so that more
                      ///< objects may lie behind
};

/// By the layouts in force at revision `index`, as recorded.
RecordedPath PathTo(const History& history, std::size_t index, const std::string& root,
                    const std::string& path);

/// What reading makes of old goldens beyond what is in them, as it was recorded: nothing is read
/// for it.
class UpgradedValues {
 public:
  /// `records`: descriptors of the types that will be asked for and of what they hold. All must
  /// outlive this.
  UpgradedValues(const Registry& registry, const History& history, const Renames& renames,
                 const std::map<std::string, const revctl::TypeInfo*>& records)
      : registry_(registry), history_(history), renames_(renames), records_(records) {}

  struct Seen {
    bool goldens = false;  ///< some golden of any root type holds an object of the type
    bool changed =
        false;  ///< in one of them a value in such an object may be another than was read
  };
  /// Over the goldens of revisions with numbers from `from` on and below `to`. A field that is
  /// newer than its golden counts where it is not what a fresh object has. Where a path cannot be
  /// followed, the change may come from any of them.
  Seen Look(const std::string& type, std::int64_t from, std::int64_t to);

 private:
  /// A value that is not what the golden holds at its place, which may hold none.
  struct Changed {
    std::string path, text;
    bool fresh;  ///< the golden holds none
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
