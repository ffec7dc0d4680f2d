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

/// A sample that cannot be written, or is read otherwise than written.
struct Trouble {
  std::string text;
  std::string field;  ///< path of the field it shows at, below the root; empty where none is known
  SourcePlace place;  ///< of its macro; line 0 where none is known
};

/// What today's code does with one root type at one revision.
struct RevisionRun {
  std::map<std::string, TypeTrace> layouts;  ///< of every record type that is visited, by name
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<std::int64_t> compared;  ///< every number that a body compared the revision with
  std::vector<Trouble> troubles;
  std::map<std::string, Outcomes> conditions;
  std::map<std::string, Unvisited> unvisited;
  std::map<std::string, const revctl::TypeInfo*> records;  ///< of `layouts`
};

/// What all runs saw of one condition.
struct SeenCondition {
  std::string type;
  revctl::LayoutField field;  ///< as at `number`
  std::int64_t number = 0;    ///< of the newest run that saved the field
  Outcomes seen;
};

/// Runs one root type over its samples and goldens, revision by revision.
///
/// A body behaves alike at two revisions that lie on the same side of every number it compares
/// with, so most revisions need no run of their own: `At` gives the last one again. That is exact,
/// since `r.revision` notes every comparison.
class TypeRun {
 public:
  TypeRun(const RootType& root, const History& history, std::uint64_t seed);

  const RootType& root() const { return root_; }
  const std::vector<Sample>& samples() const { return samples_; }

  /// On which sides of each number that a record type's body compares with it has run so far.
  struct Sides {
    bool below = false, from_on = false;
    bool asked = false;  ///< by a statement of the body, while it read
  };
  const std::map<std::string, std::map<std::int64_t, Sides>>& sides() const { return sides_; }

  /// Every enum that any run reached, also those that only old revisions have, and a visit of a
  /// field that holds it.
  struct SeenEnum {
    revctl::EnumLayout layout;
    SourcePlace visit;
  };
  const std::map<std::string, SeenEnum>& enums() const { return enums_; }

  /// By ConditionKey. Samples and goldens of every revision that was run count, since they decide
  /// alike; where the condition itself looks at the revision, only those that it cannot tell from
  /// the newest.
  const std::map<std::string, SeenCondition>& conditions() const { return conditions_; }

  /// What happens at the revision with this number. `goldens`: those to be read at it, besides what
  /// the samples give.
  const RevisionRun& At(std::int64_t number, const std::vector<const Golden*>& goldens);

 private:
  void NoteConditions();
  void NoteEnums();
  RevisionRun Run(std::int64_t number, const std::vector<const Golden*>& goldens) const;

  const RootType& root_;
  std::vector<Sample> samples_;
  bool has_last_ = false;
  std::int64_t last_number_ = 0;
  std::vector<const Golden*> last_goldens_;
  RevisionRun last_;
  std::map<std::string, std::map<std::int64_t, Sides>> sides_;
  std::map<std::string, SeenCondition> conditions_;
  std::map<std::string, SeenEnum> enums_;
};

/// Whether both revisions lie on the same side of every number: bodies that compared with these
/// alone cannot tell them apart.
bool SameSide(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& compared);

/// Puts the values that closed REMs give to a fresh object into `layouts`, as they are recorded.
void AddDefaults(const LayoutNotes& notes, std::int64_t number,
                 std::map<std::string, TypeTrace>& layouts);

}  // namespace revctl::harness
