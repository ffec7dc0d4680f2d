#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/samples/samples.h"
#include "harness/trace/registry.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

/// A sample that cannot be written, or that differs after it is written and read back.
struct Trouble {
  std::string text;
  std::string field;  ///< path of the affected field below the root; empty if unknown
  SourcePlace place;  ///< place of the field's macro; line 0 if unknown
};

/// The behavior of the current code for a root type at one revision.
struct RevisionRun {
  std::map<std::string, TypeTrace> layouts;  ///< layouts of all visited record types, by name
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<std::int64_t> compared;  ///< all numbers that a body compared the revision with
  std::vector<Trouble> troubles;
  std::map<std::string, Outcomes> conditions;
  std::map<std::string, Unvisited> unvisited;
  /// descriptors of the types in `layouts`
  std::map<std::string, const revctl::TypeInfo*> records;
};

/// Everything observed about one condition.
struct SeenCondition {
  std::string type;
  /// the field whose visit depends on the condition, as described at `number`
  revctl::LayoutField field;
  std::int64_t number = 0;  ///< newest revision at which a run saved the field
  Outcomes seen;
};

/// Runs the samples and goldens of a root type at each revision.
///
/// A body behaves the same at two revisions if both are on the same side of every number with which
/// it compares the revision. Since `r.revision` records every comparison, `At` can return the
/// previous run for most revisions.
class TypeRun {
 public:
  /// `Visits` only visits generated values, without reading goldens or running the program's
  /// streams.
  enum class Runs { Everything, Visits };
  TypeRun(const RootType& root, const History& history, std::uint64_t seed,
          Runs runs = Runs::Everything);

  const RootType& root() const { return root_; }
  const std::vector<Sample>& samples() const { return samples_; }

  /// Whether the body has run at a revision below a compared number, and at one from that number
  /// on.
  struct Sides {
    bool below = false, from_on = false;
    bool asked = false;  ///< true if a statement of the body made the comparison while reading
  };
  const std::map<std::string, std::map<std::int64_t, Sides>>& sides() const { return sides_; }

  /// An enum reached by any run, even if only old revisions use it, and the place of a macro that
  /// visits it.
  struct SeenEnum {
    revctl::EnumLayout layout;
    SourcePlace visit;
  };
  const std::map<std::string, SeenEnum>& enums() const { return enums_; }

  /// Returns the observed conditions, keyed by ConditionKey and combined over all revisions. For a
  /// condition that tests the revision, includes only the revisions that it treats like the newest
  /// one.
  const std::map<std::string, SeenCondition>& conditions() const { return conditions_; }

  /// Returns the run of the samples and `goldens` at revision `number`. The reference is valid
  /// until the next call.
  const RevisionRun& At(std::int64_t number, const std::vector<const Golden*>& goldens);

 private:
  void NoteConditions();
  void NoteEnums();
  RevisionRun Run(std::int64_t number, const std::vector<const Golden*>& goldens) const;

  const RootType& root_;
  const Runs runs_;
  std::vector<Sample> samples_;
  bool has_last_ = false;
  std::int64_t last_number_ = 0;
  std::vector<const Golden*> last_goldens_;
  RevisionRun last_;
  std::map<std::string, std::map<std::int64_t, Sides>> sides_;
  std::map<std::string, SeenCondition> conditions_;
  std::map<std::string, SeenEnum> enums_;
};

/// True if both revisions are on the same side of every number in `compared`, so a body that
/// compares only with these numbers cannot distinguish them.
bool SameSide(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& compared);

/// Sets `fallback` of each closed REM in `layouts` to its default in a fresh object.
void AddDefaults(const LayoutNotes& notes, std::int64_t number,
                 std::map<std::string, TypeTrace>& layouts);

}  // namespace revctl::harness
