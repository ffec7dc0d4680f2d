#include "harness/trace/layout_notes.h"

#include <algorithm>
#include <string_view>

#include <revctl/trace.h>

#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::Form;
using revctl::Kind;
using revctl::LayoutRecorder;
using revctl::NotingRevision;
using revctl::TypeInfo;

bool IsRemForm(Form form) {
  return form == Form::Rem || form == Form::RemMember || form == Form::RemConditional ||
         form == Form::RemRef;
}

}  // namespace

std::string ValueOf(const TypeInfo& type, void* value) {
  revctl::TraceWriter writer(std::int64_t{0});
  writer.VisitRoot(type, value);
  std::string text;
  for (const revctl::TraceLeaf& leaf : writer.Leaves()) {
    if (!text.empty()) text += ", ";
    text += leaf.text;
  }
  return text;
}

void LayoutNotes::NoteAsked(const NotingRevision& revision, const FieldVisit* gates) {
  if (!reads_ || depth_ == 0) return;
  for (const std::int64_t number : revision.Notes()) {
    const bool gate =
        gates != nullptr && ((gates->site.since[0] != '\0' && gates->since == number) ||
                             (gates->site.until[0] != '\0' && gates->until == number));
    if (!gate) NotingRevision::Insert(number, frames_[depth_ - 1].asked);
  }
}

void LayoutNotes::BeginRecord(const TypeInfo& type, const void* object, NotingRevision& revision) {
  NoteAsked(revision);
  layouts_.BeginRecord(type, revision);
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.type = &type;
  frame.object = object;
  frame.members.clear();
  frame.asked.clear();
  frame.inside = frame.elsewhere = false;
}

void LayoutNotes::EndRecord(NotingRevision& revision, bool whole) {
  NoteAsked(revision);
  layouts_.EndRecord(revision, whole);
  const Frame& frame = frames_[--depth_];
  Notes& notes = notes_[frame.type];
  if (!frame.elsewhere) LayoutRecorder::Unite(frame.asked, notes.asked);
  notes.inside |= frame.inside;
  notes.elsewhere |= frame.elsewhere;
  for (const auto& [member, extent] : frame.members) notes.members.try_emplace(member, extent);
  // The record has ended, so later visits belong to the field that contains it.
  if (const auto* around = layouts_.LastVisit()) CrashBreadcrumb::Note(around->site);
}

void LayoutNotes::Field(const FieldVisit& field, NotingRevision& revision) {
  CrashBreadcrumb::Note(field.site);
  NoteAsked(revision, &field);
  const Form form = field.site.form;
  const bool wants_default =
      defaults_ && depth_ != 0 && !field.live && IsRemForm(form) && form != Form::RemMember;
  layouts_.Field(field, revision, wants_default ? ValueOf(field.type, field.value) : std::string());
  if (depth_ != 0) NoteMember(field);
}

void LayoutNotes::NoteMember(const FieldVisit& field) {
  Frame& frame = frames_[depth_ - 1];
  const Form form = field.site.form;
  if (form == Form::Ignore || form == Form::Bits || form == Form::Base) {
    frame.members.emplace_back(Member{-1, field.site.name}, Extent{});
    return;
  }
  const auto offset =
      static_cast<const char*>(field.value) - static_cast<const char*>(frame.object);
  if (offset >= 0 && static_cast<std::size_t>(offset) < frame.type->size) {
    frame.members.emplace_back(Member{offset, {}}, Extent{field.type.size, field.type.alignment});
    frame.inside = true;
  } else if (form == Form::Add || form == Form::AddRef) {
    frame.elsewhere = true;
  }
}

void LayoutNotes::Integrity(const FieldVisit& field, NotingRevision& revision) {
  NoteAsked(revision, &field);
  layouts_.Integrity(field, revision);
}

void LayoutNotes::CopiedByBytes() {
  const auto* const visit = layouts_.LastVisit();
  if (depth_ == 0 || visit == nullptr) return;
  notes_[frames_[depth_ - 1].type].copied.insert(visit->site.name);
}

void LayoutNotes::Merge(const LayoutNotes& other) {
  layouts_.Merge(other.layouts_);
  for (const auto& [type, notes] : other.notes_) {
    Notes& own = notes_[type];
    LayoutRecorder::Unite(notes.asked, own.asked);
    own.copied.insert(notes.copied.begin(), notes.copied.end());
    own.members.insert(notes.members.begin(), notes.members.end());
    own.inside |= notes.inside;
    own.elsewhere |= notes.elsewhere;
  }
}

std::map<std::string, const TypeInfo*> LayoutNotes::Named(Kind kind) const {
  std::map<std::string, const TypeInfo*> named;
  for (const TypeInfo* type : layouts_.Reached()) {
    if (type->kind == kind) named.emplace(type->name(), type);
  }
  return named;
}

/// Describes a field. Omits a condition that tests the revision, such as `r.revision < SR_RESTING
/// || d.movable`, if the condition was never false at this revision.
static revctl::LayoutField Described(const LayoutRecorder::Visit& visit, std::size_t records) {
  revctl::LayoutField field = LayoutRecorder::Describe(visit, records);
  const Form form = visit.site.form;
  if (form == Form::Integrity) field.name = "CHECK_INTEGRITY";
  const bool conditional = form == Form::AddConditional || form == Form::RemConditional;
  if (conditional && visit.when_true && !visit.when_false &&
      field.condition.find("revision") != std::string::npos) {
    field.form = LayoutRecorder::FormName(form == Form::AddConditional ? Form::Add : Form::Rem);
    field.condition.clear();
    field.always = visit.records >= records;
  }
  return field;
}

/// True for the type of an object in an object stream or behind a pointer to a base class, which
/// may be of any registered class. The set of classes is not part of the layout, because a table in
/// the program determines how old classes are read. Each class has its own layout, like any other
/// type.
static bool IsAnyClass(const TypeInfo& type) {
  const std::string name = type.name();
  return name == "object" || name.starts_with("polymorphic<");
}

std::map<std::string, TypeTrace> LayoutNotes::Layouts(std::int64_t number) const {
  std::map<std::string, TypeTrace> layouts;
  for (const auto& [type, record] : layouts_.Records()) {
    if (IsAnyClass(*type)) continue;
    TypeTrace trace;
    trace.layout.type = type->name();
    for (const LayoutRecorder::Visit& visit : record.visits) {
      revctl::LayoutField field = Described(visit, record.records);
      if (visit.live) {
        trace.layout.fields.push_back(std::move(field));
      } else if (IsRemForm(visit.site.form) && visit.until <= number) {
        trace.removed.push_back(std::move(field));
      } else {
        trace.closed.push_back(std::move(field));
      }
    }
    trace.layout.compared = record.compared;
    const Notes& notes = notes_.at(type);
    trace.asked = notes.asked;
    trace.copied = notes.copied;
    trace.plain = notes.elsewhere && !notes.inside;
    layouts.emplace(trace.layout.type, std::move(trace));
  }
  return layouts;
}

std::map<std::string, revctl::EnumLayout> LayoutNotes::Enums() const {
  std::map<std::string, revctl::EnumLayout> enums;
  for (const auto& [name, type] : Named(Kind::Enum))
    enums.emplace(name, LayoutRecorder::DescribeEnum(*type));
  return enums;
}

std::map<std::string, Unvisited> LayoutNotes::UnvisitedMembers() const {
  std::map<std::string, Unvisited> found;
  for (const auto& [type, notes] : notes_) {
    const TypeMaking* const making = MakingOf(*type);
    const std::size_t members = making != nullptr ? making->aggregate_members : 0;
    const bool counted = members <= Unvisited::kMostCounted;
    if (counted && notes.members.size() >= members) continue;
    Unvisited unvisited{members, notes.members.size(), {}};
    std::vector<std::pair<std::size_t, std::size_t>> padding;
    std::size_t end = 0;
    // Padding ends at the next multiple of the following member's alignment. A larger gap contains
    // a member that the body does not visit.
    const auto gap = [&](std::size_t to, std::size_t alignment) {
      if (to <= end) return;
      const bool explained = (end + alignment - 1) / alignment * alignment == to;
      (explained ? padding : unvisited.gaps).emplace_back(end, to);
    };
    for (const auto& [member, extent] : notes.members) {
      if (member.first < 0) continue;
      const auto begin = static_cast<std::size_t>(member.first);
      gap(begin, extent.alignment);
      end = std::max(end, begin + extent.size);
    }
    gap(type->size, type->alignment);
    if (unvisited.gaps.empty()) unvisited.gaps = std::move(padding);
    found.emplace(type->name(), std::move(unvisited));
  }
  return found;
}

std::vector<std::int64_t> LayoutNotes::Compared() const {
  std::vector<std::int64_t> all;
  for (const auto& [type, record] : layouts_.Records()) LayoutRecorder::Unite(record.compared, all);
  return all;
}

std::string ConditionKey(const std::string& type, const std::string& field,
                         const std::string& condition) {
  return type + "." + field + "\n" + condition;
}

std::map<std::string, Outcomes> LayoutNotes::Conditions() const {
  std::map<std::string, Outcomes> conditions;
  for (const auto& [type, record] : layouts_.Records()) {
    if (IsAnyClass(*type)) continue;
    for (const LayoutRecorder::Visit& visit : record.visits) {
      if (!visit.live || visit.site.condition[0] == '\0') continue;
      Outcomes& outcomes =
          conditions[ConditionKey(type->name(), visit.site.name, visit.site.condition)];
      outcomes.when_true |= visit.when_true;
      outcomes.when_false |= visit.when_false;
    }
  }
  return conditions;
}

}  // namespace revctl::harness
