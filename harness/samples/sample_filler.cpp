// The objects of automatic samples.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "harness/samples/noting_filler.h"
#include "harness/samples/sample_makers.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::Kind;
using revctl::TypeInfo;

/// Gives way to an override.
class OverridingFiller : public NotingFiller {
 public:
  /// `bits` is laid over the values of bit-fields, whose widths nothing here knows.
  OverridingFiller(std::int64_t number, std::uint64_t seed, const Override* override,
                   std::uint64_t bits, LayoutNotes* notes)
      : NotingFiller(number, seed, notes), override_(override), bits_(bits) {}

  bool applied() const { return applied_; }
  bool saw_bits() const { return saw_bits_; }

  void BeginRecord(const TypeInfo& type, void* object) override {
    records_.push_back(&type);
    NotingFiller::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    NotingFiller::EndRecord(type, object);
    records_.pop_back();
  }
  void Field(const FieldVisit& field) override {
    const bool ours = override_ && field.live && field.condition && !records_.empty() &&
                      override_->field == field.site.name &&
                      records_.back()->name() == override_->record;
    const bool outer = std::exchange(pending_, ours);
    NotingFiller::Field(field);
    pending_ = outer;
    if (field.site.form == revctl::Form::Bits && field.live) {
      NarrowTo(field.type, bits_, field.value);
      saw_bits_ = true;
    }
  }
  void Scalar(const TypeInfo& type, void* value) override {
    const bool is_float = type.kind == Kind::F32 || type.kind == Kind::F64;
    if (!Take(is_float ? !override_text() : !override_text() && !override_real()))
      return Filler::Scalar(type, value);
    Put(type, value);
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    const bool ours = Take(type.kind == Kind::String && !override_real());
    Filler::Bytes(type, bytes);
    if (!ours) return;
    if (override_->text) bytes = *override_->text;
    else bytes.assign(Count(kMostLetters), 'x');
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const bool may_be = type.kind == Kind::Optional || type.kind == Kind::Pointer;
    const bool inside = pending_ && may_be && (override_text() || override_real());
    const bool ours = !inside && Take(!override_text() && !override_real());
    const std::size_t filled = Filler::BeginContainer(type, count);
    if (inside) return 1;
    if (!ours) return filled;
    switch (type.kind) {
      case Kind::Sequence:
      case Kind::Map:
      case Kind::Set:
        return Count(override_->most_elements);
      case Kind::Optional:
      case Kind::Pointer:
        return override_->value != 0 ? 1 : 0;
      case Kind::Variant:
        return override_->value >= 0 && Count(type.count) < type.count ? Count(type.count) : filled;
      default:
        return filled;
    }
  }

 private:
  static constexpr std::size_t kMostLetters = 4096;

  bool override_real() const { return override_ && override_->real; }
  bool override_text() const { return override_ && override_->text; }
  /// The field at hand takes the override, if it can hold such a value.
  bool Take(bool fits) {
    if (!pending_) return false;
    pending_ = false;
    if (fits) applied_ = true;
    return fits;
  }
  std::size_t Count(std::size_t most) const {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(override_->value, 0, static_cast<std::int64_t>(most)));
  }

  static void NarrowTo(const TypeInfo& type, std::uint64_t bits, void* value) {
    std::uint64_t number = 0;
    std::memcpy(&number, value,
                type.size);  // little-endian machines only; others keep every bit-field zero
    number &= bits;
    std::memcpy(value, &number, type.size);
  }

  template <class Number>
  void PutAs(void* value) const {
    auto number = static_cast<Number>(override_->value);
    if constexpr (std::is_floating_point_v<Number>) {
      constexpr Number kMost = std::numeric_limits<Number>::infinity();
      if (override_->real) number = static_cast<Number>(*override_->real);
      if (override_->step != 0)
        number = std::nextafter(number, override_->step < 0 ? -kMost : kMost);
    }
    std::memcpy(value, &number, sizeof number);
  }
  void Put(const TypeInfo& type, void* value) {
    switch (type.underlying) {
      case Kind::Bool:
        PutAs<bool>(value);
        break;
      case Kind::F32:
        PutAs<float>(value);
        break;
      case Kind::F64:
        PutAs<double>(value);
        break;
      default:
        switch (type.size) {
          case 1:
            PutAs<std::int8_t>(value);
            break;
          case 2:
            PutAs<std::int16_t>(value);
            break;
          case 4:
            PutAs<std::int32_t>(value);
            break;
          default:
            PutAs<std::int64_t>(value);
            break;
        }
    }
  }

  const Override* override_;
  std::uint64_t bits_;
  std::vector<const TypeInfo*> records_;
  bool pending_ = false, applied_ = false, saw_bits_ = false;
};

}  // namespace

Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  const Override* override, LayoutNotes* notes, bool* applied) {
  struct Filled {
    Object object;
    LayoutNotes notes;
    bool ok = false, saw_bits = false, applied = false;
  };
  Filled filled = FillNarrowing([&](std::uint64_t bits) {
    Filled tried{Object(type), LayoutNotes(), false, false, false};
    OverridingFiller filler(number, seed, override, bits, &tried.notes);
    filler.VisitRoot(type, tried.object.get());
    tried.ok = filler.Ok();
    tried.saw_bits = filler.saw_bits();
    tried.applied = filler.applied();
    return tried;
  });
  if (notes) notes->Merge(filled.notes);
  if (applied) *applied = filled.applied;
  return std::move(filled.object);
}

}  // namespace revctl::harness
