#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/visit/layout_recorder.h>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

/// The results that a condition has had in the visits so far.
struct Outcomes {
  bool when_true = false, when_false = false;
};

/// Returns a key for a condition. The key includes the condition's text, because a body may visit a
/// field twice under different conditions.
std::string ConditionKey(const std::string& type, const std::string& field,
                         const std::string& condition);

/// Members of an aggregate that a body does not mention.
struct Unvisited {
  /// largest member count that can be determined; `members` is 127 for larger aggregates
  static constexpr std::size_t kMostCounted = 126;
  std::size_t members = 0;  ///< number of members, counted at compile time
  std::size_t visited = 0;  ///< number of members that the body mentions
  /// Byte ranges [begin, end) of the object that the body does not visit and that are too large to
  /// be padding. If there are none, lists the padding ranges instead, which may hide a small
  /// member.
  std::vector<std::pair<std::size_t, std::size_t>> gaps;
};

/// A LayoutRecorder with additional data for the harness: the members that a body does not mention,
/// and the numbers that it compares with the revision. An archive forwards BeginRecord, EndRecord,
/// Field and Integrity to this class before doing its own work.
class LayoutNotes {
 public:
  /// If `defaults` is true, also collects the values of REM local variables whose gates are closed.
  /// Visited objects must then be fresh, because these values may depend on the object. `reads` is
  /// true if the archive is a reader, in which case comparisons with the revision handle old files.
  explicit LayoutNotes(bool defaults = false, bool reads = false)
      : defaults_(defaults), reads_(reads) {}

  void BeginRecord(const revctl::TypeInfo& type, const void* object,
                   revctl::NotingRevision& revision);
  /// `whole` is true if the visit ended without an error.
  void EndRecord(revctl::NotingRevision& revision, bool whole);
  void Field(const revctl::FieldVisit& field, revctl::NotingRevision& revision);
  void Integrity(const revctl::FieldVisit& field, revctl::NotingRevision& revision);
  /// Notes that the last visited field is or contains a struct copied byte by byte.
  void CopiedByBytes();

  void Merge(const LayoutNotes& other);

  /// Returns the layouts of all visited records by type name. `number` is the revision at which
  /// they were visited.
  std::map<std::string, TypeTrace> Layouts(std::int64_t number) const;

  std::map<std::string, const revctl::TypeInfo*> Records() const {
    return Named(revctl::Kind::Record);
  }
  std::map<std::string, revctl::EnumLayout> Enums() const;

  /// Returns, by type name, the aggregates with members that the body neither visits nor explicitly
  /// ignores.
  std::map<std::string, Unvisited> UnvisitedMembers() const;

  /// Returns all numbers that a body compared with the revision, in ascending order.
  std::vector<std::int64_t> Compared() const;

  /// Returns the results of all conditions, keyed by ConditionKey().
  std::map<std::string, Outcomes> Conditions() const;

 private:
  /// A member's offset in its object, and its name. The name identifies bases, bit-fields and
  /// ignored members, which have no address.
  using Member = std::pair<std::ptrdiff_t, std::string_view>;
  struct Extent {
    std::size_t size = 0, alignment = 1;
  };
  using Members = std::map<Member, Extent>;
  /// The notes about one type, combined from all its visits.
  struct Notes {
    Members members;
    std::vector<std::int64_t> asked;
    std::set<std::string> copied;
    bool inside = false;  ///< true if an ADD visited members of the object
    /// true if an ADD visited memory outside the object, such as a PLAIN struct's image
    bool elsewhere = false;
  };
  /// A record being visited. Frames are reused, because every element of a container needs one.
  struct Frame {
    const revctl::TypeInfo* type = nullptr;
    const void* object = nullptr;
    std::vector<Members::value_type> members;
    std::vector<std::int64_t> asked;
    bool inside = false, elsewhere = false;
  };

  /// Notes the numbers that were compared with `revision` since the last call. If `gates` is set,
  /// ignores the comparisons that its macro made.
  void NoteAsked(const revctl::NotingRevision& revision, const revctl::FieldVisit* gates = nullptr);
  void NoteMember(const revctl::FieldVisit& field);
  std::map<std::string, const revctl::TypeInfo*> Named(revctl::Kind kind) const;

  bool defaults_, reads_;
  revctl::LayoutRecorder layouts_{revctl::LayoutRecorder::Repeats::Together};
  std::vector<Frame> frames_;  ///< only the first `depth_` frames are in use
  std::size_t depth_ = 0;
  std::map<const revctl::TypeInfo*, Notes> notes_;
};

/// Returns the value of a REM's local variable as comma-separated leaves. The variable must still
/// have its default.
std::string ValueOf(const revctl::TypeInfo& type, void* value);

}  // namespace revctl::harness
