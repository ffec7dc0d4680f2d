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

/// The results that a condition was observed to have.
struct Outcomes {
  bool when_true = false, when_false = false;
};

/// Returns a key for a condition. The key includes the text, because a body may visit a field twice
/// under different conditions.
std::string ConditionKey(const std::string& type, const std::string& field,
                         const std::string& condition);

/// Members of an aggregate that a body never mentions.
struct Unvisited {
  static constexpr std::size_t kMostCounted =
      126;                  ///< the compiler counts members up to this number; 127 means more
  std::size_t members = 0;  ///< counted by the compiler
  std::size_t visited = 0;  ///< mentioned by the body
  /// Unvisited ranges [begin, end) of the object, in bytes, that are larger than padding. If there
  /// are no such ranges, contains the padding, in which a small member may hide.
  std::vector<std::pair<std::size_t, std::size_t>> gaps;
};

/// Extends LayoutRecorder by data that the harness needs: members that a body never mentions, and
/// revision numbers that the body compares with. An archive forwards its calls to BeginRecord,
/// EndRecord, Field and Integrity before it does its own work.
class LayoutNotes {
 public:
  /// `defaults`: also note the values of the locals of closed REMs. These may depend on the object,
  /// so the visited objects must be fresh. `reads`: the archive is a reader, so comparisons with
  /// the revision handle old files.
  explicit LayoutNotes(bool defaults = false, bool reads = false)
      : defaults_(defaults), reads_(reads) {}

  void BeginRecord(const revctl::TypeInfo& type, const void* object,
                   revctl::NotingRevision& revision);
  /// `whole` is true if the visit ended without an error.
  void EndRecord(revctl::NotingRevision& revision, bool whole);
  void Field(const revctl::FieldVisit& field, revctl::NotingRevision& revision);
  void Integrity(const revctl::FieldVisit& field, revctl::NotingRevision& revision);
  /// Notes that the field visited last is or contains a struct that is copied byte by byte.
  void CopiedByBytes();

  void Merge(const LayoutNotes& other);

  /// Returns the layouts of all visited records, by type name. `number` is the revision of the
  /// visits.
  std::map<std::string, TypeTrace> Layouts(std::int64_t number) const;

  std::map<std::string, const revctl::TypeInfo*> Records() const {
    return Named(revctl::Kind::Record);
  }
  std::map<std::string, revctl::EnumLayout> Enums() const;

  /// Returns the aggregates with members that their body neither visits nor explicitly ignores, by
  /// type name.
  std::map<std::string, Unvisited> UnvisitedMembers() const;

  /// Returns all numbers that a body compared the revision with, ascending.
  std::vector<std::int64_t> Compared() const;

  /// Returns the observed results of all conditions, by ConditionKey.
  std::map<std::string, Outcomes> Conditions() const;

 private:
  /// Offset of a member in its object, and its name. Bases, bit-fields and ignored members have no
  /// address, so their names identify them.
  using Member = std::pair<std::ptrdiff_t, std::string_view>;
  struct Extent {
    std::size_t size = 0, alignment = 1;
  };
  using Members = std::map<Member, Extent>;
  /// The notes about one type, from all its visits.
  struct Notes {
    Members members;
    std::vector<std::int64_t> asked;
    std::set<std::string> copied;
    bool inside = false;  ///< an ADD visited members of the object
    /// an ADD visited memory outside the object, because a PLAIN struct's fields are visited in an
    /// image
    bool elsewhere = false;
  };
  /// An open record. Frames are reused because there is one for each element.
  struct Frame {
    const revctl::TypeInfo* type = nullptr;
    const void* object = nullptr;
    std::vector<Members::value_type> members;
    std::vector<std::int64_t> asked;
    bool inside = false, elsewhere = false;
  };

  /// Notes the numbers that `revision` was compared with since the last call. Comparisons made by
  /// the macro of `gates` do not count as the body's own.
  void NoteAsked(const revctl::NotingRevision& revision, const revctl::FieldVisit* gates = nullptr);
  void NoteMember(const revctl::FieldVisit& field);
  std::map<std::string, const revctl::TypeInfo*> Named(revctl::Kind kind) const;

  bool defaults_, reads_;
  revctl::LayoutRecorder layouts_{revctl::LayoutRecorder::Repeats::Together};
  std::vector<Frame> frames_;  ///< the first `depth_` frames are open
  std::size_t depth_ = 0;
  std::map<const revctl::TypeInfo*, Notes> notes_;
};

/// Returns the value of a REM's local, which still has its default, as leaves joined by commas.
std::string ValueOf(const revctl::TypeInfo& type, void* value);

}  // namespace revctl::harness
