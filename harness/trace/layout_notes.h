#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/layout/layout_diff.h"
#include "revctl/any_archive.h"

namespace revctl::harness {

/// Which sides of a condition were seen.
struct Outcomes {
  bool when_true = false, when_false = false;
};

/// What a condition is known by: a field may come twice, each time with a condition of its own.
std::string ConditionKey(const std::string& type, const std::string& field,
                         const std::string& condition);

/// Members of an aggregate that a body never mentions.
struct Unvisited {
  static constexpr std::size_t kMostCounted =
      126;                  ///< the compiler is asked for no more, and says 127
  std::size_t members = 0;  ///< as the compiler counts them
  std::size_t visited = 0;  ///< as the body mentions them
  /// Stretches of the object that nothing visits, begin and end, in bytes: those that are more than
  /// padding; where there are none, padding, in which a small member may lie.
  std::vector<std::pair<std::size_t, std::size_t>> gaps;
};

/// What is learned about the layouts of a type, and of all types that it reaches, by looking over
/// an archive's shoulder while it visits objects. Several visits are merged: what only some of them
/// visit is marked as not `always`.
///
/// The archive calls BeginRecord, EndRecord, Field and Integrity as it is called itself, before it
/// does its own work.
class LayoutNotes {
 public:
  /// `defaults`: also note the values of closed REMs' locals. They may depend on the object, so
  /// this is for fresh ones. `reads`: the archive reads; what bodies ask then is for the sake of
  /// old files.
  explicit LayoutNotes(bool defaults = false, bool reads = false)
      : defaults_(defaults), reads_(reads) {}

  void BeginRecord(const revctl::TypeInfo& type, const void* object,
                   revctl::NotingRevision& revision);
  /// `whole`: no error ended its visit. A body of the program's own may stop at one, and what
  /// stands behind it is then no condition's.
  void EndRecord(revctl::NotingRevision& revision, bool whole);
  void Field(const revctl::FieldVisit& field, revctl::NotingRevision& revision);
  void Integrity(const revctl::FieldVisit& field, revctl::NotingRevision& revision);

  /// Everything noted by `other` is noted here, too.
  void Merge(const LayoutNotes& other);

  /// Layouts of all records that were visited, by type name; `number` is the revision at which the
  /// visits ran.
  std::map<std::string, TypeTrace> Layouts(std::int64_t number) const;

  /// Descriptors of the records that were visited, and of the enums that any field or element has,
  /// by name.
  std::map<std::string, const revctl::TypeInfo*> Records() const {
    return Named(revctl::Kind::Record);
  }
  std::map<std::string, revctl::EnumLayout> Enums() const;

  /// Aggregates with a member that their body neither visits nor ignores on purpose, by type name.
  std::map<std::string, Unvisited> UnvisitedMembers() const;

  /// Every number that a body compared the revision with, ascending.
  std::vector<std::int64_t> Compared() const;

  /// Fields that a condition decides about, by ConditionKey, and the outcomes seen.
  std::map<std::string, Outcomes> Conditions() const;

 private:
  /// One visit of a body, or several of the same place.
  struct Noted {
    revctl::Site site;
    std::int64_t since, until;
    const revctl::TypeInfo* type;
    bool live;
    bool counter;
    Outcomes outcomes;
    std::size_t visits = 0;  ///< records in which it was announced
    std::string fallback;    ///< of a closed REM: text of the local's value
    bool SamePlace(const Noted& other) const;
  };
  /// Where a member lies in its object; what has no address of its own (bases, bit-fields, ignored
  /// ones) goes by name.
  using Member = std::pair<std::ptrdiff_t, std::string_view>;
  struct Extent {
    std::size_t size = 0, alignment = 1;
  };
  using Members = std::map<Member, Extent>;
  struct RecordNotes {
    Members members;
    std::vector<Noted> fields;
    std::vector<std::int64_t> compared, asked;
    std::size_t records = 0;  ///< that were visited to their end
    bool inside = false,
         elsewhere =
             false;  ///< whether ADDs visited members of the object, and what lies elsewhere
  };
  /// One record that is being visited. There are as many as elements, so that what it holds is used
  /// again.
  struct Frame {
    const revctl::TypeInfo* type = nullptr;
    const void* object = nullptr;
    std::vector<Members::value_type> members;
    std::vector<Noted> fields;
    std::vector<std::int64_t> compared, asked;
    bool inside = false;
    bool elsewhere = false;  ///< a PLAIN struct: its fields are visited in an image, and no
                             ///< statement stands in its body
  };

  /// Comparisons since the last call belong to the innermost body; those of `gates` are its
  /// macros', the others its own.
  void TakeComparisons(revctl::NotingRevision& revision, const revctl::FieldVisit* gates = nullptr);
  void Reach(const revctl::TypeInfo& type);
  void NoteMember(const revctl::FieldVisit& field);
  Frame& Innermost() { return frames_[depth_ - 1]; }
  std::map<std::string, const revctl::TypeInfo*> Named(revctl::Kind kind) const;
  static void MergeSequence(const std::vector<Noted>& from, std::vector<Noted>& into);
  static revctl::LayoutField Describe(const Noted& noted, std::size_t records);

  bool defaults_, reads_;
  std::vector<Frame> frames_;  ///< the first `depth_` are open
  std::size_t depth_ = 0;
  std::map<const revctl::TypeInfo*, RecordNotes> records_;
  std::vector<const revctl::TypeInfo*> reached_;  ///< by address
  std::vector<const revctl::TypeInfo*> named_;    ///< records and enums among them, as they came
};

/// Text of a REM's local, which still holds its default: leaves joined by commas.
std::string ValueOf(const revctl::TypeInfo& type, void* value);

}  // namespace revctl::harness
