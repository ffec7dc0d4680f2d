#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/types/any_archive.h>
#include <revctl/detail/visit/layout.h>

namespace revctl {

/// Records the layouts of the types that an archive visits, and of all types that they contain.
/// Like LayoutArchive, the archive must forward BeginRecord, EndRecord, Field and Integrity to the
/// recorder before it handles them itself. The recorder merges the visits of several objects. A
/// field that only some of the objects visit is not `always`.
class LayoutRecorder {
 public:
  /// Selects which repeated visits at the same place in a body are treated as one field.
  enum class Repeats {
    Together,   ///< consecutive visits, for example in a loop over one field
    Everywhere  ///< all visits in one record
  };
  explicit LayoutRecorder(Repeats repeats = Repeats::Everywhere) : repeats_(repeats) {}

  /// The visits at one place in a body.
  struct Visit {
    Site site;
    std::int64_t since, until;
    const TypeInfo* type;
    bool live;
    bool when_true, when_false;  ///< true if the condition ever had this value
    std::size_t records;         ///< number of records with a visit at this place
    std::string fallback;        ///< default of a REM, as text
    bool fallbacks_differ;       ///< true if the default differed between objects

    bool SamePlace(const Visit& other) const {
      return site.line == other.site.line && site.form == other.site.form && type == other.type &&
             SameText(site.name, other.site.name) && SameText(site.since, other.site.since) &&
             SameText(site.file, other.site.file);
    }
    void Add(const Visit& other) {
      when_true |= other.when_true;
      when_false |= other.when_false;
      fallbacks_differ |= other.fallbacks_differ || other.fallback != fallback;
    }
  };
  struct Record {
    std::vector<Visit> visits;
    std::vector<std::int64_t> compared;  ///< numbers compared with the revision, ascending
    std::size_t records = 0;             ///< number of complete visits
  };

  void BeginRecord(const TypeInfo& type, NotingRevision& revision) {
    TakeComparisons(revision);  // attribute the comparisons made so far to the enclosing body
    Reach(type);
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.type = &type;
    frame.visits.clear();
    frame.compared.clear();
  }
  /// Ends a record. `whole` is false if an error cut the visit short; missing fields then do not
  /// imply that a condition was false.
  void EndRecord(NotingRevision& revision, bool whole) {
    TakeComparisons(revision);
    const Frame& frame = frames_[--depth_];
    Record& record = records_[frame.type];
    MergeVisits(frame.visits, record.visits);
    Unite(frame.compared, record.compared);
    if (whole) ++record.records;
  }
  /// Records a field. `fallback` is a REM's default as text, if needed.
  void Field(const FieldVisit& field, NotingRevision& revision, std::string fallback = {}) {
    TakeComparisons(revision);
    if (depth_ == 0 || field.site.form == Form::Ignore) return;
    Reach(field.type);
    See({field.site, field.since, field.until, &field.type, field.live,
         field.live && field.condition, field.live && !field.condition, 1, std::move(fallback),
         false});
  }
  void Integrity(const FieldVisit& field, NotingRevision& revision) {
    TakeComparisons(revision);
    if (depth_ == 0) return;
    See({field.site, field.since, field.until, &field.type, field.live, true, false, 1, {}, false});
  }
  /// Registers all records and enums that a value of this type can contain, including the element
  /// types of empty containers.
  void Reach(const TypeInfo& type) {
    const auto at = std::lower_bound(reached_.begin(), reached_.end(), &type, std::less<>());
    if (at != reached_.end() && *at == &type) return;
    reached_.insert(at, &type);
    if (type.kind == Kind::Record || type.kind == Kind::Enum) named_.push_back(&type);
    if (type.part == nullptr) return;
    for (std::size_t i = 0; i < type.parts; ++i) Reach(type.part(i));
  }

  void Merge(const LayoutRecorder& other) {
    for (const auto& [type, record] : other.records_) {
      Record& own = records_[type];
      MergeVisits(record.visits, own.visits);
      Unite(record.compared, own.compared);
      own.records += record.records;
    }
    for (const TypeInfo* type : other.named_) {
      if (!std::binary_search(reached_.begin(), reached_.end(), type, std::less<>()))
        named_.push_back(type);
    }
    Unite(other.reached_, reached_);
  }

  /// Returns the last field of the innermost record, or null if it has visited none.
  const Visit* LastVisit() const {
    return depth_ == 0 || frames_[depth_ - 1].visits.empty() ? nullptr
                                                             : &frames_[depth_ - 1].visits.back();
  }
  const std::map<const TypeInfo*, Record>& Records() const { return records_; }
  /// Returns the records and enums that were visited or can be reached, in order of discovery.
  const std::vector<const TypeInfo*>& Reached() const { return named_; }

  /// Converts `visit` to a LayoutField of a type that was visited `records` times. Sizes of nested
  /// records are treated as unknown.
  static LayoutField Describe(const Visit& visit, std::size_t records) {
    LayoutField field;
    field.name = visit.site.name;
    field.type = visit.type->name();
    field.size = WireSize(*visit.type, [](const TypeInfo&) { return 0u; });
    field.form = FormName(visit.site.form);
    field.since = visit.site.since;
    field.until = visit.site.until;
    if (!field.since.empty()) field.since_number = visit.since;
    if (!field.until.empty()) field.until_number = visit.until;
    field.condition = visit.site.condition;
    field.fallback = visit.fallback;
    field.always = field.condition.empty() && visit.records >= records;
    field.file = visit.site.file;
    field.line = visit.site.line;
    field.spelled = visit.site.fallback;
    field.reference = visit.site.form == Form::AddRef || visit.site.form == Form::RemRef;
    return field;
  }
  static EnumLayout DescribeEnum(const TypeInfo& type) {
    EnumLayout layout{type.name(), detail::NumberName(type.underlying), {}};
    for (const Enumerator* e = type.enumerators(); e->name != nullptr; ++e)
      layout.enumerators.emplace_back(e->name, e->value);
    return layout;
  }
  static const char* FormName(Form form) {
    switch (form) {
      case Form::Plain:
        return "plain";
      case Form::Add:
      case Form::AddRef:
        return "add";
      case Form::Rem:
      case Form::RemRef:
        return "rem";
      case Form::RemMember:
        return "rem_member";
      case Form::AddConditional:
        return "add_conditional";
      case Form::RemConditional:
        return "rem_conditional";
      case Form::Base:
        return "base";
      case Form::Bits:
        return "bits";
      case Form::Integrity:
        return "integrity";
      case Form::Ignore:
        return "ignore";
    }
    return "";
  }
  /// Returns the wire size of a type, or 0 if it depends on the value. `of_record` must return the
  /// wire size of a record.
  template <class OfRecord>
  static std::uint32_t WireSize(const TypeInfo& type, const OfRecord& of_record) {
    if (type.aligned != 0) return 0;
    switch (type.kind) {
      case Kind::Array:
        return static_cast<std::uint32_t>(type.count) * WireSize(type.part(0), of_record);
      case Kind::Bitset:
        return static_cast<std::uint32_t>((type.count + 7) / 8);
      case Kind::Tuple: {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < type.parts; ++i) {
          const std::uint32_t size = WireSize(type.part(i), of_record);
          if (size == 0) return 0;
          sum += size;
        }
        return sum;
      }
      case Kind::Record:
        return of_record(type);
      default:
        return type.kind <= Kind::Enum
                   ? static_cast<std::uint32_t>(detail::ScalarSize(type.underlying))
                   : 0;
    }
  }

  /// Merges `from` into `into`; both must be ascending. Usually there is nothing to add, because
  /// all elements of a container cause the same visits.
  template <class Item>
  static void Unite(const std::vector<Item>& from, std::vector<Item>& into) {
    if (std::includes(into.begin(), into.end(), from.begin(), from.end(), std::less<Item>()))
      return;
    if (into.empty()) {
      into = from;
      return;
    }
    std::vector<Item> united;
    united.reserve(into.size() + from.size());
    std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(united),
                   std::less<Item>());
    into = std::move(united);
  }

 private:
  /// A record being visited. Frames are reused, because each element of a container needs a frame.
  struct Frame {
    const TypeInfo* type = nullptr;
    std::vector<Visit> visits;
    std::vector<std::int64_t> compared;
  };

  /// True if two literals have the same text. Equal literals may have different addresses.
  static bool SameText(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

  /// Attributes to the innermost body all comparisons made since TakeComparisons was last called.
  void TakeComparisons(NotingRevision& revision) {
    if (depth_ != 0) {
      for (const std::int64_t n : revision.Notes())
        NotingRevision::Insert(n, frames_[depth_ - 1].compared);
    }
    revision.ClearNotes();
  }

  void See(Visit visit) {
    std::vector<Visit>& visits = frames_[depth_ - 1].visits;
    std::size_t at = visits.size();
    if (repeats_ == Repeats::Everywhere) {
      at = Find(visit, visits, 0);
    } else if (!visits.empty() && visits.back().SamePlace(visit)) {
      --at;
    }
    if (at == visits.size()) visits.push_back(std::move(visit));
    else visits[at].Add(visit);
  }

  static std::size_t Find(const Visit& wanted, const std::vector<Visit>& visits, std::size_t at) {
    while (at < visits.size() && !visits[at].SamePlace(wanted)) ++at;
    return at;
  }

  /// Merges the visits of one object into the visits of earlier objects. Both lists follow the
  /// order of the body, so a new visit is inserted after the last place that they have in common.
  void MergeVisits(const std::vector<Visit>& from, std::vector<Visit>& into) const {
    if (into.empty()) {
      into = from;
      return;
    }
    std::size_t next = 0;
    for (const Visit& visit : from) {
      std::size_t at = Find(visit, into, next);
      if (at == into.size() && repeats_ == Repeats::Everywhere) at = Find(visit, into, 0);
      if (at == into.size()) {
        into.insert(into.begin() + static_cast<std::ptrdiff_t>(next++), visit);
        continue;
      }
      into[at].Add(visit);
      into[at].records += visit.records;
      next = (std::max)(next, at + 1);
    }
  }

  Repeats repeats_;
  std::vector<Frame> frames_;  ///< the first `depth_` frames are in use
  std::size_t depth_ = 0;
  std::map<const TypeInfo*, Record> records_;
  std::vector<const TypeInfo*> reached_;  ///< sorted by address
  std::vector<const TypeInfo*> named_;  ///< records and enums of `reached_`, in order of discovery
};

}  // namespace revctl
