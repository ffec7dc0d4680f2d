#include "harness/samples/sample_filler.h"

#include <cstring>
#include <utility>

#include "harness/trace/registry.h"

namespace revctl::harness {
namespace {

class SampleFiller : public NotingFiller {
 public:
  /// Masks every bit-field's value with `bits`.
  SampleFiller(std::int64_t number, std::uint64_t seed, LeafPolicy& policy, std::uint64_t bits,
               LayoutNotes* notes)
      : NotingFiller(number, seed, notes), policy_(policy), bits_(bits) {}

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
    const LeafPlace outer = place_;
    place_.record = records_.empty() ? nullptr : records_.back();
    place_.field = field.site.name;
    place_.elements = 0;
    policy_.BeginField(field, place_);
    NotingFiller::Field(field);
    policy_.EndField();
    if (field.site.form == Form::Bits && field.live) {
      policy_.Bits(field.type, field.value, place_);
      Narrow(field.type, field.value);
    }
    place_ = outer;
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Filler::Scalar(type, value);
    policy_.Scalar(type, value, place_);
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    Filler::Bytes(type, bytes);
    policy_.Bytes(type, bytes, place_);
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const std::size_t filled = policy_.Count(type, Filler::BeginContainer(type, count), place_);
    kinds_.push_back(type.kind);
    ++place_.containers;
    return filled;
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    Filler::BeginElement(element, index, is_key);
    outside_.push_back(place_);
    ++place_.elements;
    if (!is_key && kinds_.back() != Kind::Set) return;
    if (!place_.in_key) place_.in_first_key = index == 0;
    place_.in_key = true;
  }
  void EndElement() override {
    Filler::EndElement();
    place_ = outside_.back();
    outside_.pop_back();
  }
  void EndContainer(const TypeInfo& type) override {
    kinds_.pop_back();
    --place_.containers;
    Filler::EndContainer(type);
  }

 private:
  void Narrow(const TypeInfo& type, void* value) {
    saw_bits_ = true;
    std::uint64_t number = 0;
    // This copy requires a little-endian machine. On other machines, all bit-fields stay zero.
    std::memcpy(&number, value, type.size);
    number &= bits_;
    std::memcpy(value, &number, type.size);
  }

  LeafPolicy& policy_;
  const std::uint64_t bits_;
  std::vector<const TypeInfo*> records_;
  std::vector<Kind> kinds_;  ///< kinds of the open containers
  LeafPlace place_;
  std::vector<LeafPlace> outside_;  ///< for each open element, the place that contains it
  bool saw_bits_ = false;
};

}  // namespace

FilledObject FillObject(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                        LeafPolicy& policy, LayoutNotes* notes) {
  for (std::uint64_t bits = ~std::uint64_t{0};; bits = bits > 0xFFF ? 0xFFF : bits >> 1) {
    ResetProgram();
    FilledObject filled{Object(type)};
    LayoutNotes noted;
    policy.Begin();
    SampleFiller filler(number, seed, policy, bits, &noted);
    filler.VisitRoot(type, filled.object.get());
    filled.ok = filler.Ok();
    if (!filled.ok && filler.saw_bits() && bits != 0) continue;
    if (notes != nullptr) notes->Merge(noted);
    return filled;
  }
}

Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes) {
  LeafPolicy as_filled;
  return std::move(FillObject(type, number, seed, as_filled, notes).object);
}

}  // namespace revctl::harness
