// Samples on the far side: of one object by itself nobody can tell a reader that clamps, sorts or
// drops from one that does not.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "harness/samples/noting_filler.h"
#include "harness/samples/sample_makers.h"
#include "harness/trace/progress.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

/// What the values of one field are to be.
struct Choice {
  bool mirrored = false;      ///< the other sign, the other order
  std::int64_t most = kFull;  ///< magnitude that is not passed; most values lie close below
  static constexpr std::int64_t kFull = 0, kSmall = 4;
};

/// A field of a record; the name is a literal, of which each has one.
using FieldKey = std::pair<const TypeInfo*, const char*>;

/// Which fields have which values. All the others are as usual.
struct Plan {
  Choice usual;
  std::map<FieldKey, Choice> fields;
};

class FarFiller : public NotingFiller {
 public:
  /// `bits` is laid over the values of bit-fields, whose widths nothing here knows. `fields` gets
  /// those that hold values, in the order of their first.
  FarFiller(std::int64_t number, std::uint64_t seed, const Plan& plan, std::uint64_t bits,
            LayoutNotes* notes, std::vector<FieldKey>* fields)
      : NotingFiller(number, seed, notes), plan_(plan), bits_(bits), fields_(fields) {}

  bool saw_bits() const { return saw_bits_; }

  void BeginRecord(const TypeInfo& type, void* object) override {
    records_.push_back(&type);
    NotingFiller::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    NotingFiller::EndRecord(type, object);
    records_.pop_back();
  }
  void Field(const revctl::FieldVisit& field) override {
    const FieldKey outer =
        std::exchange(field_, {records_.empty() ? nullptr : records_.back(), field.site.name});
    const std::size_t nested = std::exchange(elements_, 0);
    NotingFiller::Field(field);
    elements_ = nested;
    if (field.site.form == revctl::Form::Bits && field.live) PutBits(field.type, field.value);
    field_ = outer;
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    ++elements_;
    Filler::BeginElement(element, index, is_key);
  }
  void EndElement() override {
    Filler::EndElement();
    --elements_;
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Filler::Scalar(type, value);
    const Choice& choice = Chosen();
    if (type.kind == Kind::F32) return PutFloat<float>(choice, value);
    if (type.kind == Kind::F64) return PutFloat<double>(choice, value);
    if (type.kind == Kind::Enum && type.enumerators()[0].name != nullptr) {
      if (choice.mirrored) PutOtherEnumerator(type, value);
      return;
    }
    std::int64_t number = revctl::detail::LoadInteger(type.underlying, value);
    number = type.underlying == Kind::Bool ? Bool(choice, number != 0)
                                           : Number(choice, type.underlying, number);
    revctl::detail::CopyLowBytes(value, number, revctl::detail::ScalarSize(type.underlying));
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    Filler::Bytes(type, bytes);
    const Choice& choice = Chosen();
    if (type.kind == Kind::Bitset) {
      for (char& byte : bytes)
        byte = choice.mirrored ? static_cast<char>(~static_cast<unsigned char>(byte)) : byte;
      const std::size_t rest = type.count % 8;
      if (rest != 0)
        bytes.back() =
            static_cast<char>(static_cast<unsigned char>(bytes.back()) & ((1U << rest) - 1));
      return;
    }
    char digit = '0';
    for (char& letter : bytes) {
      if (letter < '0' || letter > '9') continue;
      if (choice.mirrored) letter = static_cast<char>('0' + '9' - letter);
      digit = letter;
    }
    if (choice.most == Choice::kSmall) bytes.assign(1, static_cast<char>('a' + (digit - '0')));
  }

 private:
  const Choice& Chosen() {
    if (fields_ && std::find(fields_->begin(), fields_->end(), field_) == fields_->end())
      fields_->push_back(field_);
    const auto own = plan_.fields.find(field_);
    return own == plan_.fields.end() ? plan_.usual : own->second;
  }

  /// Fields are all true at once; elements are the other way round, so that they keep being unlike
  /// each other.
  std::int64_t Bool(const Choice& choice, bool value) const {
    if (!choice.mirrored) return choice.most == Choice::kSmall ? 0 : value;
    return elements_ == 0 || !value;
  }

  static std::int64_t Number(const Choice& choice, Kind kind, std::int64_t number) {
    const bool is_signed = kind >= Kind::I8 && kind <= Kind::I64;
    const int bits = 8 * static_cast<int>(revctl::detail::ScalarSize(kind));
    const std::int64_t highest = is_signed || bits == 64
                                     ? static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bits))
                                     : static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits));
    if (choice.most == Choice::kFull || choice.most > highest) {
      return !choice.mirrored ? number : is_signed ? -number : ~number;
    }
    const std::int64_t quarter = choice.most / 4, off = std::abs(number % quarter);
    if (!is_signed) return choice.mirrored ? choice.most - quarter + off : choice.most - off;
    return (number < 0) != choice.mirrored ? off - choice.most : choice.most - off;
  }

  template <class Float>
  static void PutFloat(const Choice& choice, void* value) {
    Float number = 0;
    std::memcpy(&number, value, sizeof number);
    if (choice.most != Choice::kFull) {
      const auto most = static_cast<Float>(choice.most);
      number = std::copysign(most - std::fmod(std::fabs(number), most / 4), number);
    }
    if (choice.mirrored) number = -number;
    std::memcpy(value, &number, sizeof number);
  }

  static void PutOtherEnumerator(const TypeInfo& type, void* value) {
    const revctl::Enumerator* list = type.enumerators();
    std::size_t count = 0, own = 0;
    const std::int64_t number = revctl::detail::LoadInteger(type.underlying, value);
    for (; list[count].name != nullptr; ++count) {
      if (list[count].value == number) own = count;
    }
    revctl::detail::CopyLowBytes(value, list[count - 1 - own].value,
                                 revctl::detail::ScalarSize(type.underlying));
  }

  void PutBits(const TypeInfo& type, void* value) {
    saw_bits_ = true;
    std::uint64_t number = 0;
    std::memcpy(&number, value,
                type.size);  // little-endian machines only; others keep every bit-field zero
    number = (Chosen().mirrored ? ~std::uint64_t{0} : number) & bits_;
    std::memcpy(value, &number, type.size);
  }

  const Plan& plan_;
  const std::uint64_t bits_;
  std::vector<const TypeInfo*> records_;
  FieldKey field_{};
  std::size_t elements_ = 0;  ///< within the field at hand
  std::vector<FieldKey>* fields_;
  bool saw_bits_ = false;
};

struct Filled {
  Object object;
  LayoutNotes notes;
  bool ok = false, saw_bits = false;
};

Filled FillFar(const TypeInfo& type, std::int64_t number, std::uint64_t own, const Plan& plan,
               LayoutNotes* notes, std::vector<FieldKey>* fields = nullptr) {
  Filled filled = FillNarrowing([&](std::uint64_t bits) {
    Filled tried{Object(type), LayoutNotes(), false, false};
    FarFiller filler(number, own, plan, bits, &tried.notes, fields);
    filler.VisitRoot(type, tried.object.get());
    tried.ok = filler.Ok();
    tried.saw_bits = filler.saw_bits();
    return tried;
  });
  if (notes) notes->Merge(filled.notes);
  return filled;
}

/// Whether the body takes these values, written and read again.
bool Takes(const TypeInfo& type, std::int64_t number, std::uint64_t own, const Plan& plan,
           std::vector<FieldKey>* fields = nullptr) {
  const Filled filled = FillFar(type, number, own, plan, nullptr, fields);
  if (!filled.ok) return false;
  const auto bytes = TracedBytes(type, filled.object.get(), number);
  if (!bytes) return false;
  const Object again(type);
  return TraceRead(type, *bytes, number, again.get(), Leaves::Untold).ok;
}

constexpr std::size_t kMostTries =
    400;  // of a body that refuses something; what is not tried then stays small

/// Where a body refuses values, it does not say of which field: each gets the largest that goes
/// with those before it.
std::optional<Plan> PlanFor(const TypeInfo& type, std::int64_t number, std::uint64_t own,
                            bool mirrored) {
  if (Plan whole{{mirrored, Choice::kFull}, {}}; Takes(type, number, own, whole)) return whole;
  Plan plan{{false, Choice::kSmall}, {}};
  std::vector<FieldKey> fields;
  if (!Takes(type, number, own, plan, &fields)) return std::nullopt;
  std::size_t tries = 0;
  for (const FieldKey& field : fields) {
    for (const bool side : {mirrored, !mirrored}) {
      for (const std::int64_t most :
           {Choice::kFull, std::int64_t{30000}, std::int64_t{1000}, std::int64_t{100}}) {
        if (plan.fields.contains(field) || ++tries > kMostTries) continue;
        plan.fields[field] = {side, most};
        if (!Takes(type, number, own, plan)) plan.fields.erase(field);
      }
    }
  }
  return plan;
}

}  // namespace

std::vector<Sample> MakeMirroredSamples(const RootType& root, std::int64_t number,
                                        std::uint64_t own, const Wanted& wanted) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  for (const auto& [mirrored, name] :
       {std::pair(false, "auto-far"), std::pair(true, "auto-mirrored")}) {
    if (!Progress::Enter(root.name, std::string("automatic sample ") + name)) continue;
    const auto plan = PlanFor(type, number, own, mirrored);
    const bool as_filled =
        plan && !mirrored && plan->usual.most == Choice::kFull;  // then there is a sample of it
    if (!plan || as_filled) continue;
    LayoutNotes notes;
    const Filled filled = FillFar(type, number, own, *plan, &notes);
    if (!wanted(filled.object, notes, SIZE_MAX)) continue;
    samples.push_back(
        {name, false, [&type, own, plan = *plan](std::int64_t at, LayoutNotes* noted) {
           return FillFar(type, at, own, plan, noted).object;
         }});
  }
  return samples;
}

}  // namespace revctl::harness
