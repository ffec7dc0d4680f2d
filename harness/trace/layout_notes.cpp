#include "harness/trace/layout_notes.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <string_view>

#include "harness/layout/wire_type.h"
#include "harness/trace/crash_breadcrumb.h"
#include "revctl/trace.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::Form;
using revctl::Kind;
using revctl::NotingRevision;
using revctl::TypeInfo;

const char* FormName(Form form) {
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

bool IsRemForm(Form form) {
  return form == Form::Rem || form == Form::RemMember || form == Form::RemConditional ||
         form == Form::RemRef;
}

/// Both are ascending. Mostly everything is there already: each element of a container says the
/// same.
template <class Item>
void Unite(const std::vector<Item>& from, std::vector<Item>& into) {
  if (std::includes(into.begin(), into.end(), from.begin(), from.end(), std::less<Item>())) return;
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

void Insert(std::int64_t number, std::vector<std::int64_t>& into) {
  const auto at = std::lower_bound(into.begin(), into.end(), number);
  if (at == into.end() || *at != number) into.insert(at, number);
}

/// Of one body's literals; what differs by address may be the same text all the same.
bool SameText(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

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

bool LayoutNotes::Noted::SamePlace(const Noted& other) const {
  return site.line == other.site.line && counter == other.counter && type == other.type &&
         SameText(site.name, other.site.name) && SameText(site.since, other.site.since) &&
         SameText(site.file, other.site.file);
}

void LayoutNotes::TakeComparisons(NotingRevision& revision, const FieldVisit* gates) {
  if (depth_ != 0) {
    Frame& frame = Innermost();
    for (const std::int64_t number : revision.Notes()) {
      Insert(number, frame.compared);
      const bool gate =
          gates != nullptr && ((gates->site.since[0] != '\0' && gates->since == number) ||
                               (gates->site.until[0] != '\0' && gates->until == number));
      if (reads_ && !gate) Insert(number, frame.asked);
    }
  }
  revision.ClearNotes();
}

void LayoutNotes::BeginRecord(const TypeInfo& type, const void* object, NotingRevision& revision) {
  TakeComparisons(revision);
  Reach(type);
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.type = &type;
  frame.object = object;
  frame.members.clear();
  frame.fields.clear();
  frame.compared.clear();
  frame.asked.clear();
  frame.inside = frame.elsewhere = false;
}

void LayoutNotes::EndRecord(NotingRevision& revision, bool whole) {
  TakeComparisons(revision);
  const Frame& frame = Innermost();
  --depth_;
  RecordNotes& notes = records_[frame.type];
  MergeSequence(frame.fields, notes.fields);
  Unite(frame.compared, notes.compared);
  if (!frame.elsewhere) Unite(frame.asked, notes.asked);
  notes.inside |= frame.inside;
  notes.elsewhere |= frame.elsewhere;
  for (const auto& [member, extent] : frame.members) notes.members.try_emplace(member, extent);
  if (whole) ++notes.records;
  // What follows belongs to the field that the record is in.
  if (depth_ != 0 && !Innermost().fields.empty())
    CrashBreadcrumb::Note(Innermost().fields.back().site);
}

void LayoutNotes::Field(const FieldVisit& field, NotingRevision& revision) {
  CrashBreadcrumb::Note(field.site);
  TakeComparisons(revision, &field);
  if (depth_ == 0) return;
  NoteMember(field);
  if (field.site.form == Form::Ignore) return;
  Noted noted{field.site, field.since, field.until, &field.type, field.live, false, {}, 1, ""};
  if (field.live) (field.condition ? noted.outcomes.when_true : noted.outcomes.when_false) = true;
  if (defaults_ && !field.live && IsRemForm(field.site.form) && field.site.form != Form::RemMember)
    noted.fallback = ValueOf(field.type, field.value);
  Reach(field.type);
  auto& fields = Innermost().fields;
  // A loop that visits one place again and again is one field.
  if (!fields.empty() && fields.back().SamePlace(noted)) {
    fields.back().outcomes.when_true |= noted.outcomes.when_true;
    fields.back().outcomes.when_false |= noted.outcomes.when_false;
    return;
  }
  fields.push_back(std::move(noted));
}

void LayoutNotes::NoteMember(const FieldVisit& field) {
  Frame& frame = Innermost();
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
  TakeComparisons(revision, &field);
  if (depth_ == 0) return;
  Innermost().fields.push_back(
      {field.site, field.since, field.until, &field.type, field.live, true, {true, false}, 1, ""});
}

/// Notes the records and enums that a type holds without any value being visited: elements of empty
/// containers.
void LayoutNotes::Reach(const TypeInfo& type) {
  const auto at = std::lower_bound(reached_.begin(), reached_.end(), &type, std::less<>());
  if (at != reached_.end() && *at == &type) return;
  reached_.insert(at, &type);
  if (type.kind == Kind::Record || type.kind == Kind::Enum) named_.push_back(&type);
  if (type.part == nullptr) return;
  for (std::size_t i = 0; i < type.parts; ++i) Reach(type.part(i));
}

/// Both lists are in the order of one body, so what is new belongs behind the last common place.
void LayoutNotes::MergeSequence(const std::vector<Noted>& from, std::vector<Noted>& into) {
  if (into.empty()) {
    into = from;
    return;
  }
  std::size_t next = 0;
  for (const Noted& noted : from) {
    std::size_t at = next;
    while (at < into.size() && !into[at].SamePlace(noted)) ++at;
    if (at == into.size()) {
      into.insert(into.begin() + static_cast<std::ptrdiff_t>(next), noted);
      ++next;
      continue;
    }
    into[at].outcomes.when_true |= noted.outcomes.when_true;
    into[at].outcomes.when_false |= noted.outcomes.when_false;
    into[at].visits += noted.visits;
    next = at + 1;
  }
}

void LayoutNotes::Merge(const LayoutNotes& other) {
  for (const auto& [type, notes] : other.records_) {
    RecordNotes& own = records_[type];
    MergeSequence(notes.fields, own.fields);
    Unite(notes.compared, own.compared);
    Unite(notes.asked, own.asked);
    if (own.members.empty()) {
      own.members = notes.members;
    } else {
      for (const auto& [member, extent] : notes.members) own.members.try_emplace(member, extent);
    }
    own.records += notes.records;
    own.inside |= notes.inside;
    own.elsewhere |= notes.elsewhere;
  }
  for (const TypeInfo* type : other.named_) {
    if (!std::binary_search(reached_.begin(), reached_.end(), type, std::less<>()))
      named_.push_back(type);
  }
  Unite(other.reached_, reached_);
}

std::map<std::string, const TypeInfo*> LayoutNotes::Named(Kind kind) const {
  std::map<std::string, const TypeInfo*> named;
  for (const TypeInfo* type : named_) {
    if (type->kind == kind) named.emplace(type->name(), type);
  }
  return named;
}

revctl::LayoutField LayoutNotes::Describe(const Noted& noted, std::size_t records) {
  revctl::LayoutField field;
  field.name = noted.counter ? "CHECK_INTEGRITY" : noted.site.name;
  field.type = noted.counter ? "u32" : noted.type->name();
  field.size = noted.counter ? 4 : WireSize(*noted.type);
  field.form = FormName(noted.site.form);
  field.since = noted.site.since;
  field.until = noted.site.until;
  field.since_number = field.since.empty() ? 0 : noted.since;
  field.until_number = field.until.empty() ? 0 : noted.until;
  field.condition = noted.site.condition;
  field.fallback = noted.fallback;
  bool conditional =
      noted.site.form == Form::AddConditional || noted.site.form == Form::RemConditional;
  // `r.revision < SR_RESTING || d.movable`: a condition that looks at the revision says of older
  // ones that they had none.
  if (conditional && noted.outcomes.when_true && !noted.outcomes.when_false &&
      field.condition.find("revision") != std::string::npos) {
    conditional = false;
    field.form = FormName(noted.site.form == Form::AddConditional ? Form::Add : Form::Rem);
    field.condition.clear();
  }
  field.always = !conditional && noted.visits >= records;
  field.file = noted.site.file;
  field.line = noted.site.line;
  field.spelled = noted.site.fallback;
  field.reference = noted.site.form == Form::AddRef || noted.site.form == Form::RemRef;
  return field;
}

/// A record of an object stream, or what an owner of derived classes holds: one of the classes that
/// the program knows. Which there are is no layout: they come and go, and the program's table says
/// what becomes of records of old ones. The classes themselves have layouts like any type.
static bool IsAnyClass(const TypeInfo& type) {
  const std::string name = type.name();
  return name == "object" || name.starts_with("polymorphic<");
}

std::map<std::string, TypeTrace> LayoutNotes::Layouts(std::int64_t number) const {
  std::map<std::string, TypeTrace> layouts;
  for (const auto& [type, notes] : records_) {
    if (IsAnyClass(*type)) continue;
    TypeTrace trace;
    trace.layout.type = type->name();
    for (const Noted& noted : notes.fields) {
      revctl::LayoutField field = Describe(noted, notes.records);
      if (noted.live) {
        trace.layout.fields.push_back(std::move(field));
      } else if (IsRemForm(noted.site.form) && noted.until <= number) {
        trace.removed.push_back(std::move(field));
      } else {
        trace.closed.push_back(std::move(field));
      }
    }
    trace.layout.compared = notes.compared;
    trace.asked = notes.asked;
    trace.plain = notes.elsewhere && !notes.inside;
    layouts.emplace(trace.layout.type, std::move(trace));
  }
  return layouts;
}

std::map<std::string, revctl::EnumLayout> LayoutNotes::Enums() const {
  std::map<std::string, revctl::EnumLayout> enums;
  for (const auto& [name, type] : Named(Kind::Enum)) {
    revctl::EnumLayout layout{name, revctl::detail::NumberName(type->underlying), {}};
    for (const revctl::Enumerator* entry = type->enumerators(); entry->name != nullptr; ++entry) {
      layout.enumerators.emplace_back(entry->name, entry->value);
    }
    enums.emplace(name, std::move(layout));
  }
  return enums;
}

std::map<std::string, Unvisited> LayoutNotes::UnvisitedMembers() const {
  std::map<std::string, Unvisited> found;
  for (const auto& [type, notes] : records_) {
    const bool counted = type->aggregate_members <= Unvisited::kMostCounted;
    if (counted && notes.members.size() >= type->aggregate_members) continue;
    Unvisited unvisited{type->aggregate_members, notes.members.size(), {}};
    std::vector<std::pair<std::size_t, std::size_t>> padding;
    std::size_t end = 0;
    // What follows begins at the next multiple of its alignment, if nothing else lies before it.
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
  for (const auto& [type, notes] : records_) Unite(notes.compared, all);
  return all;
}

std::string ConditionKey(const std::string& type, const std::string& field,
                         const std::string& condition) {
  return type + "." + field + "\n" + condition;
}

std::map<std::string, Outcomes> LayoutNotes::Conditions() const {
  std::map<std::string, Outcomes> conditions;
  for (const auto& [type, notes] : records_) {
    if (IsAnyClass(*type)) continue;
    for (const Noted& noted : notes.fields) {
      if (!noted.live || noted.site.condition[0] == '\0') continue;
      Outcomes& outcomes =
          conditions[ConditionKey(type->name(), noted.site.name, noted.site.condition)];
      outcomes.when_true |= noted.outcomes.when_true;
      outcomes.when_false |= noted.outcomes.when_false;
    }
  }
  return conditions;
}

}  // namespace revctl::harness
