#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/visit/layout_recorder.h>

#include "harness/layout/layout_diff.h"

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

/// What the library's LayoutRecorder learns of layouts, and what the harness needs besides: members
/// that a body never mentions, and numbers that it asks for itself.
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
  /// `whole`: no error ended its visit.
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
  /// Where a member lies in its object; what has no address of its own (bases, bit-fields, ignored
  /// ones) goes by name.
  using Member = std::pair<std::ptrdiff_t, std::string_view>;
  struct Extent {
    std::size_t size = 0, alignment = 1;
  };
  using Members = std::map<Member, Extent>;
  /// Of one record that is being visited, or of all of a type.
  struct Notes {
    Members members;
    std::vector<std::int64_t> asked;
    bool inside = false;     ///< ADDs visited members of the object
    bool elsewhere = false;  ///< what they visited lies elsewhere: a PLAIN struct's fields are
                             ///< visited in an image, and no statement stands in its body
  };
  /// There are as many as elements, so that what it holds is used again.
  struct Frame {
    const revctl::TypeInfo* type = nullptr;
    const void* object = nullptr;
    std::vector<Members::value_type> members;
    std::vector<std::int64_t> asked;
    bool inside = false, elsewhere = false;
  };

  /// What `revision` was compared with since the last call; that of `gates` is its macros'.
  void NoteAsked(const revctl::NotingRevision& revision, const revctl::FieldVisit* gates = nullptr);
  void NoteMember(const revctl::FieldVisit& field);
  std::map<std::string, const revctl::TypeInfo*> Named(revctl::Kind kind) const;

  bool defaults_, reads_;
  revctl::LayoutRecorder layouts_{revctl::LayoutRecorder::Repeats::Together};
  std::vector<Frame> frames_;  ///< the first `depth_` are open
  std::size_t depth_ = 0;
  std::map<const revctl::TypeInfo*, Notes> notes_;
};

/// Text of a REM's local, which still holds its default: leaves joined by commas.
std::string ValueOf(const revctl::TypeInfo& type, void* value);

}  // namespace revctl::harness
