#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/layout.h>
#include <revctl/detail/visit/layout_recorder.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/detail/visit/type_making.h>
#include <revctl/json_writer.h>
#include <revctl/trace.h>

namespace revctl {

/// Records the fields that bodies visit. The result is a TypeLayout for each record type and an
/// EnumLayout for each enum that a visit reaches (see detail/visit/layout.h).
///
///   LayoutArchive layouts(SR_FOULS);  // visits an object, as a writer does
///   Serialize(layouts, score);
///
///   Filler filler(SR_FOULS, 1);  // forwards to another archive, reading or writing
///   LayoutArchive layouts(filler);
///   Serialize(layouts, score);
///
/// An archive may visit many objects and merges their layouts. A field that only some of the
/// objects visit is not `always`. Types that no object reached (elements of empty vectors, absent
/// optionals, other alternatives) are recorded as well, because Types() visits a T{} of every such
/// type.
class LayoutArchive : public AnyArchive {
 public:
  using RevctlMakesObjects = void;

  /// Visits objects as a writer does, at revision `at`.
  explicit LayoutArchive(Revision at) : AnyArchive(/*reading=*/false) { revision = at; }
  /// Forwards every visit to `inner`, using its revision and direction. `inner` must stay alive
  /// until this archive is destroyed or Detach() is called.
  explicit LayoutArchive(AnyArchive& inner) : AnyArchive(inner.IsReading()) { Attach(inner); }
  ~LayoutArchive() override { Detach(); }

  /// Switches to a different inner archive with the same direction and revision. Its visits are
  /// merged into the same layouts.
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

  /// Returns the layouts of record types in the order in which they were first reached, starting
  /// with the root.
  std::vector<TypeLayout> Types() {
    Finish();
    std::vector<TypeLayout> out;
    for (const TypeInfo* type : recorder_.Reached()) {
      if (type->kind != Kind::Record) continue;
      TypeLayout layout{type->name(), {}, {}};
      if (const LayoutRecorder::Record* record = Find(*type)) {
        layout.compared = record->compared;
        for (const LayoutRecorder::Visit& visit : record->visits) {
          if (!visit.live) continue;
          layout.fields.push_back(LayoutRecorder::Describe(visit, record->records));
          LayoutField& field = layout.fields.back();
          field.size = WireSize(*visit.type);
          if (visit.fallbacks_differ) field.fallback = field.spelled;
        }
      }
      out.push_back(std::move(layout));
    }
    return out;
  }
  /// Returns enums in the order in which they were first reached.
  std::vector<EnumLayout> Enums() {
    Finish();
    std::vector<EnumLayout> out;
    for (const TypeInfo* type : recorder_.Reached()) {
      if (type->kind != Kind::Enum) continue;
      EnumLayout layout = LayoutRecorder::DescribeEnum(*type);
      bool known = false;
      for (const EnumLayout& other : out) known = known || other.type == layout.type;
      if (!known) out.push_back(std::move(layout));
    }
    return out;
  }

  // ---- called by bodies

  void BeginRecord(const TypeInfo& type, void* object) override {
    recorder_.BeginRecord(type, revision);
    Forward([&](AnyArchive& inner) { inner.BeginRecord(type, object); });
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    Forward([&](AnyArchive& inner) { inner.EndRecord(type, object); });
    recorder_.EndRecord(revision, Ok());
  }
  void Field(const FieldVisit& field) override {
    if (field.site.since[0] != '\0') revision.Note(field.since);
    if (field.site.until[0] != '\0') revision.Note(field.until);
    if (field.site.form != Form::Ignore) recorder_.Reach(field.type);
    const bool has_default =
        field.live && field.site.form != Form::RemRef && field.site.fallback[0] != '\0';
    recorder_.Field(field, revision, has_default ? DefaultText(field) : std::string());
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
    recorder_.Integrity(field, revision);
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
  /// Forwards a body's rejection to the inner archive.
  void OnError() override {
    if (inner_ == nullptr) return;
    if (refused()) {
      inner_->Fail(error_reason());
    } else {
      inner_->FailHere(error_reason());
    }
  }

 private:
  template <class F>
  void Forward(F f) {
    if (inner_ == nullptr) return;
    f(*inner_);
    AdoptError(*inner_);
  }

  /// Returns the record of a type, or null if no object of the type was visited.
  const LayoutRecorder::Record* Find(const TypeInfo& type) const {
    const auto found = recorder_.Records().find(&type);
    return found == recorder_.Records().end() ? nullptr : &found->second;
  }

  /// Returns the default of a REM as JSON. The REM's local variable still holds the default when
  /// the field is visited.
  std::string DefaultText(const FieldVisit& visit) {
    JsonWriter json(Revision(revision.number()), 0);
    json.VisitRoot(visit.type, visit.value);
    return json.Text();
  }

  /// Visits a T{} of each type that was reached but not visited, including types first reached by
  /// these visits.
  void Finish() {
    AnyArchive* const inner = std::exchange(inner_, nullptr);
    for (std::size_t i = 0; i < recorder_.Reached().size() && Ok(); ++i) {
      const TypeInfo& type = *recorder_.Reached()[i];
      const TypeMaking* const making = MakingOf(type);
      if (type.kind != Kind::Record || Find(type) != nullptr) continue;
      if (making == nullptr || making->construct == nullptr) continue;
      detail::FreshObject fresh(type, *making);
      VisitRoot(type, fresh.get());
    }
    inner_ = inner;
  }

  /// Returns the wire size in bytes, or 0 if it depends on the value.
  std::uint32_t WireSize(const TypeInfo& type) const {
    return LayoutRecorder::WireSize(type, [this](const TypeInfo& record) {
      const LayoutRecorder::Record* known = Find(record);
      std::uint32_t sum = 0;
      if (known == nullptr) return sum;
      for (const LayoutRecorder::Visit& visit : known->visits) {
        if (!visit.live) continue;
        const bool always = LayoutRecorder::Describe(visit, known->records).always;
        const std::uint32_t size = always ? WireSize(*visit.type) : 0;
        if (size == 0) return size;
        sum += size;
      }
      return sum;
    });
  }

  AnyArchive* inner_ = nullptr;
  LayoutRecorder recorder_;
};

}  // namespace revctl
