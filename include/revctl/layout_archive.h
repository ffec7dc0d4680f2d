#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "revctl/archive.h"
#include "revctl/json_writer.h"
#include "revctl/layout.h"
#include "revctl/macros.h"
#include "revctl/trace.h"

namespace revctl {

/// Records what bodies visit, into the model of layout.h: a TypeLayout for every record type that
/// is reached, an EnumLayout for every enum.
///
///   LayoutArchive layouts(SR_FOULS);  // looks at an object, as a writer does
///   Serialize(layouts, score);
///
///   Filler filler(SR_FOULS, 1);  // looks over the shoulder of another archive, reading or writing
///   LayoutArchive layouts(filler);
///   Serialize(layouts, score);
///
/// One recorder may visit many objects: their visits are merged, and what only some of them visit
/// is not `always`. Types that no object reached (elements of empty vectors, absent optionals,
/// other alternatives) are recorded all the same: Types() visits a fresh T{} of each.
class LayoutArchive : public AnyArchive {
 public:
  /// Visits objects as a writer does, at `at`.
  explicit LayoutArchive(Revision at) : AnyArchive(/*reading=*/false) { revision = at; }
  /// Passes everything on to `inner`, at its revision, in its direction. `inner` must outlive this,
  /// or Detach().
  explicit LayoutArchive(AnyArchive& inner) : AnyArchive(inner.IsReading()) { Attach(inner); }
  ~LayoutArchive() override { Detach(); }

  /// Goes on with another archive of the same direction and revision, merging into the same
  /// layouts.
  void Attach(AnyArchive& inner) {
    Detach();
    inner_ = &inner;
    revision.Follow(inner.revision);
    limits = inner.limits;
    resource = inner.resource;
    SetFront(inner, this);
  }
  void Detach() {
    if (inner_ != nullptr) SetFront(*inner_, inner_);
    inner_ = nullptr;
  }

  /// Layouts of record types in the order in which they were first reached; the root comes first.
  std::vector<TypeLayout> Types() {
    Finish();
    std::vector<TypeLayout> out;
    for (const Recorded& recorded : types_) {
      TypeLayout layout{recorded.type->name(), {}, recorded.compared};
      for (const Visit& visit : recorded.visits) layout.fields.push_back(visit.field);
      for (std::size_t i = 0; i < layout.fields.size(); ++i)
        layout.fields[i].size = WireSize(*recorded.visits[i].type);
      out.push_back(std::move(layout));
    }
    return out;
  }
  /// Enums in the order in which they were first reached.
  std::vector<EnumLayout> Enums() {
    Finish();
    return enums_;
  }

  // ---- what bodies call
  // ----------------------------------------------------------------------------------------------

  void BeginRecord(const TypeInfo& type, void* object) override {
    TakeNotes();  // so far they are the enclosing body's
    open_.push_back({IndexOf(type), {}, {}});
    Forward([&](AnyArchive& inner) { inner.BeginRecord(type, object); });
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    Forward([&](AnyArchive& inner) { inner.EndRecord(type, object); });
    TakeNotes();
    Merge(types_[open_.back().index], open_.back());
    open_.pop_back();
  }
  void Field(const FieldVisit& field) override {
    if (field.site.since[0] != '\0') revision.Note(field.since);
    if (field.site.until[0] != '\0') revision.Note(field.until);
    if (field.site.form != Form::Ignore) {
      Reach(field.type);
      if (field.live && !open_.empty()) open_.back().visits.push_back(Describe(field));
    }
    if (inner_ == nullptr) {
      AnyArchive::Field(field);
      return;
    }
    PushStep(field);
    Forward([&](AnyArchive& inner) { inner.Field(field); });
    PopStep();
  }
  void Integrity(const FieldVisit& field) override {
    revision.Note(field.since);
    if (field.live && !open_.empty()) open_.back().visits.push_back(Describe(field));
    Forward([&](AnyArchive& inner) { inner.Integrity(field); });
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Forward([&](AnyArchive& inner) { inner.Scalar(type, value); });
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    Forward([&](AnyArchive& inner) { inner.Bytes(type, bytes); });
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    Forward([&](AnyArchive& inner) { count = inner.BeginContainer(type, count); });
    return Ok() ? count : 0;
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    Forward([&](AnyArchive& inner) { inner.BeginElement(element, index, is_key); });
  }
  void EndElement() override {
    Forward([&](AnyArchive& inner) { inner.EndElement(); });
  }
  void EndContainer(const TypeInfo& type) override {
    Forward([&](AnyArchive& inner) { inner.EndContainer(type); });
  }
  void Align(std::size_t alignment, std::size_t before) override {
    Forward([&](AnyArchive& inner) { inner.Align(alignment, before); });
  }
  PartStart BeginPart() override { return inner_ != nullptr ? inner_->BeginPart() : PartStart{}; }
  void EndPart(const PartStart& outer) override {
    if (inner_ != nullptr) inner_->EndPart(outer);
  }
  bool PayFor(std::size_t count, std::size_t size) override {
    Forward([&](AnyArchive& inner) { inner.PayFor(count, size); });
    return Ok();
  }
  std::size_t ByteOffset() const override {
    return inner_ != nullptr ? inner_->ByteOffset() : kNoBytes;
  }
  bool Invents() const override { return inner_ != nullptr && inner_->Invents(); }
  bool MakesValues() const override { return inner_ != nullptr && inner_->MakesValues(); }
  void ChoseValue(const TypeInfo& type, void* value) override {
    Forward([&](AnyArchive& inner) { inner.ChoseValue(type, value); });
  }
  void DuplicateKey() override {
    if (inner_ == nullptr) AnyArchive::DuplicateKey();
    Forward([&](AnyArchive& inner) { inner.DuplicateKey(); });
  }

 protected:
  /// A body refused the value: the inner archive hears of it.
  void OnError() override {
    if (inner_ == nullptr) return;
    if (refused()) {
      inner_->Fail(error_reason());
    } else {
      inner_->FailHere(error_reason());
    }
  }

 private:
  struct Visit {
    LayoutField field;
    const TypeInfo* type;
    const char* spelled_fallback;
  };
  struct Recorded {
    const TypeInfo* type;
    bool visited = false;
    std::vector<Visit> visits;
    std::vector<std::int64_t> compared;  ///< ascending
  };
  struct OpenRecord {
    std::size_t index;  ///< in types_
    std::vector<Visit> visits;
    std::vector<std::int64_t> notes;
  };

  template <class F>
  void Forward(F f) {
    if (inner_ == nullptr) return;
    f(*inner_);
    AdoptError(*inner_);
  }

  /// What the revision was compared with since the last call belongs to the innermost open record.
  void TakeNotes() {
    if (!open_.empty()) {
      for (const std::int64_t n : revision.Notes()) open_.back().notes.push_back(n);
    }
    revision.ClearNotes();
  }

  std::size_t IndexOf(const TypeInfo& record) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i].type == &record) return i;
    }
    types_.push_back({&record, false, {}, {}});
    return types_.size() - 1;
  }

  /// Makes the records and enums known that a field of this type can hold.
  void Reach(const TypeInfo& type) {
    if (type.kind == Kind::Record) {
      IndexOf(type);
    } else if (type.kind == Kind::Enum) {
      ReachEnum(type);
    }
    for (std::size_t i = 0; i < type.parts; ++i) Reach(type.part(i));
  }
  void ReachEnum(const TypeInfo& type) {
    EnumLayout layout{type.name(), detail::NumberName(type.underlying), {}};
    for (const EnumLayout& known : enums_) {
      if (known.type == layout.type) return;
    }
    for (const Enumerator* e = type.enumerators(); e->name != nullptr; ++e)
      layout.enumerators.emplace_back(e->name, e->value);
    enums_.push_back(std::move(layout));
  }

  Visit Describe(const FieldVisit& visit) {
    LayoutField field;
    field.name = visit.site.name;
    field.type = visit.type.name();
    field.form = FormName(visit.site.form);
    field.since = visit.site.since;
    field.until = visit.site.until;
    if (!field.since.empty()) field.since_number = visit.since;
    if (!field.until.empty()) field.until_number = visit.until;
    field.condition = visit.site.condition;
    if (visit.site.form != Form::RemRef && visit.site.fallback[0] != '\0')
      field.fallback = DefaultText(visit);
    field.always = field.condition.empty();
    field.file = visit.site.file;
    field.line = visit.site.line;
    return {std::move(field), &visit.type, visit.site.fallback};
  }
  /// The local of a REM still holds its default when it is announced.
  std::string DefaultText(const FieldVisit& visit) {
    JsonWriter json(visit_revision(), 0);
    json.VisitRoot(visit.type, visit.value);
    return json.Text();
  }
  Revision visit_revision() const { return Revision(revision.number()); }

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
      default:
        return "ignore";
    }
  }

  /// The same line of the body, whatever the object. Numbers and texts of gates follow from the
  /// line.
  static bool SameVisit(const Visit& a, const Visit& b) {
    return a.type == b.type && a.field.line == b.field.line && a.field.name == b.field.name &&
           a.field.form == b.field.form;
  }
  static Visit* Find(std::vector<Visit>& visits, std::size_t begin, const Visit& wanted) {
    for (std::size_t i = begin; i < visits.size(); ++i) {
      if (SameVisit(visits[i], wanted)) return &visits[i];
    }
    return nullptr;
  }

  /// Merges what one object's body visited. A visit that repeats (a loop) counts once.
  static void Merge(Recorded& type, OpenRecord& open) {
    std::vector<bool> seen(type.visits.size(), false);
    std::size_t next = 0;  // where a new visit would stand
    for (Visit& visit : open.visits) {
      Visit* known = Find(type.visits, next, visit);
      if (known == nullptr) known = Find(type.visits, 0, visit);
      if (known != nullptr) {
        const std::size_t at = static_cast<std::size_t>(known - type.visits.data());
        seen[at] = true;
        next = (std::max)(next, at + 1);
        if (known->field.fallback != visit.field.fallback)
          known->field.fallback = known->spelled_fallback;
      } else {
        visit.field.always = visit.field.always && !type.visited;  // earlier objects had none
        type.visits.insert(type.visits.begin() + static_cast<std::ptrdiff_t>(next),
                           std::move(visit));
        seen.insert(seen.begin() + static_cast<std::ptrdiff_t>(next), true);
        ++next;
      }
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) type.visits[i].field.always = false;
    }
    type.visited = true;
    for (const std::int64_t n : open.notes) {
      const auto at = std::lower_bound(type.compared.begin(), type.compared.end(), n);
      if (at == type.compared.end() || *at != n) type.compared.insert(at, n);
    }
  }

  /// Visits a fresh object of each type that is known but was not visited; that may make further
  /// types known.
  void Finish() {
    AnyArchive* const inner = std::exchange(inner_, nullptr);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const TypeInfo& type = *types_[i].type;
      if (types_[i].visited || type.construct == nullptr || !Ok()) continue;
      detail::FreshObject fresh(type);
      VisitRoot(type, fresh.get());
    }
    inner_ = inner;
  }

  /// Bytes on the wire; 0 where they depend on the value.
  std::uint32_t WireSize(const TypeInfo& type) const {
    if (type.aligned != 0) return 0;
    switch (type.kind) {
      case Kind::Array:
        return static_cast<std::uint32_t>(type.count) * WireSize(type.part(0));
      case Kind::Bitset:
        return static_cast<std::uint32_t>((type.count + 7) / 8);
      case Kind::Tuple: {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < type.parts; ++i) {
          const std::uint32_t size = WireSize(type.part(i));
          if (size == 0) return 0;
          sum += size;
        }
        return sum;
      }
      case Kind::Record: {
        std::uint32_t sum = 0;
        for (const Recorded& recorded : types_) {
          if (recorded.type != &type) continue;
          for (const Visit& visit : recorded.visits) {
            const std::uint32_t size = visit.field.always ? WireSize(*visit.type) : 0;
            if (size == 0) return 0;
            sum += size;
          }
        }
        return sum;
      }
      default:
        return type.kind <= Kind::Enum
                   ? static_cast<std::uint32_t>(detail::ScalarSize(type.underlying))
                   : 0;
    }
  }

  AnyArchive* inner_ = nullptr;
  std::vector<Recorded> types_;
  std::vector<EnumLayout> enums_;
  std::vector<OpenRecord> open_;
};

}  // namespace revctl
