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

/// A sample that cannot be written, or that is not read back as written.
struct Trouble {
  std::string text;
  std::string field;  ///< path of the affected field, below the root; empty if unknown
  SourcePlace place;  ///< place of its macro; line 0 if unknown
};

/// The behavior of today's code for a root type at one revision.
struct RevisionRun {
  std::map<std::string, TypeTrace> layouts;  ///< of all visited record types, by name
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<std::int64_t> compared;  ///< all numbers that a body compared the revision with
  std::vector<Trouble> troubles;
  std::map<std::string, Outcomes> conditions;
  std::map<std::string, Unvisited> unvisited;
  std::map<std::string, const revctl::TypeInfo*> records;  ///< descriptors of `layouts`
};

/// The combined observations of a condition.
struct SeenCondition {
  std::string type;
  revctl::LayoutField field;  ///< as at `number`
  std::int64_t number = 0;    ///< revision of the newest run in which the field was saved
  Outcomes seen;
};

/// Runs the samples and goldens of a root type at each revision.
///
/// A body behaves the same at two revisions that are on the same side of every number it compares
/// with. So `At` returns the last run again for most revisions, which is exact, because
/// `r.revision` notes every comparison.
class TypeRun {
 public:
  /// How much a run does with an object: everything, or only a visit of generated values,
  /// which needs neither the program's streams nor a golden.
  enum class Runs { Everything, Visits };
  TypeRun(const RootType& root, const History& history, std::uint64_t seed,
          Runs runs = Runs::Everything);

  const RootType& root() const { return root_; }
  const std::vector<Sample>& samples() const { return samples_; }

  /// The sides of a compared number on which the body has run.
  struct Sides {
    bool below = false, from_on = false;
    bool asked = false;  ///< compared by a statement of the body while reading
  };
  const std::map<std::string, std::map<std::int64_t, Sides>>& sides() const { return sides_; }

  /// All enums reached by any run, including those in old revisions only, each with a visit of a
  /// field that contains it.
  struct SeenEnum {
    revctl::EnumLayout layout;
    SourcePlace visit;
  };
  const std::map<std::string, SeenEnum>& enums() const { return enums_; }

  /// Observed conditions, by ConditionKey. All revisions contribute, because the condition decides
  /// alike at each. If the condition tests the revision, only revisions contribute that it cannot
  /// distinguish from the newest.
  const std::map<std::string, SeenCondition>& conditions() const { return conditions_; }

  /// Returns the run at revision `number`. `goldens` are read in addition to the samples. The
  /// reference is valid until the next call.
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

/// True if both revisions are on the same side of every number, so that bodies that compare only
/// with these numbers cannot distinguish them.
bool SameSide(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& compared);

/// Sets `fallback` of each closed REM in `layouts` to its default in a fresh object of the record
/// type.
void AddDefaults(const LayoutNotes& notes, std::int64_t number,
                 std::map<std::string, TypeTrace>& layouts);

}  // namespace revctl::harness
