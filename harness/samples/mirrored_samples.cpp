// Mirrored samples contain the values of an automatic sample with opposite signs and in reverse
// order. A single sample would not reveal a reader that clamps, sorts or drops values.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "harness/samples/edge_samples.h"
#include "harness/samples/sample_filler.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

struct Choice {
  bool mirrored = false;  ///< if true, numbers are negated and elements reversed
  /// upper bound on the magnitude of numbers; most numbers are just below it
  std::int64_t most = kFull;
  static constexpr std::int64_t kFull = 0, kSmall = 4;
};

/// A field of a record. The name is a literal, so its address is unique.
using FieldKey = std::pair<const TypeInfo*, const char*>;

/// A choice for some fields, and the usual choice for all others.
struct Plan {
  Choice usual;
  std::map<FieldKey, Choice> fields;
};

class MirrorPolicy : public LeafPolicy {
 public:
  /// If `fields` is not null, appends all fields with values, in the order of their first visit.
  MirrorPolicy(const Plan& plan, std::vector<FieldKey>* fields) : plan_(plan), fields_(fields) {}

  void Scalar(const TypeInfo& type, void* value, const LeafPlace& place) override {
    const Choice& choice = Chosen(place);
    if (type.kind == Kind::F32) return PutFloat<float>(choice, value);
    if (type.kind == Kind::F64) return PutFloat<double>(choice, value);
    if (type.kind == Kind::Enum && type.enumerators()[0].name != nullptr) {
      if (choice.mirrored) PutOtherEnumerator(type, value);
      return;
    }
    std::int64_t number = revctl::detail::LoadInteger(type.underlying, value);
    number = type.underlying == Kind::Bool ? Bool(choice, number != 0, place.elements == 0)
                                           : Number(choice, type.underlying, number);
    revctl::detail::CopyLowBytes(value, number, revctl::detail::ScalarSize(type.underlying));
  }
  void Bytes(const TypeInfo& type, std::string& bytes, const LeafPlace& place) override {
    const Choice& choice = Chosen(place);
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
  void Bits(const TypeInfo& type, void* value, const LeafPlace& place) override {
    if (Chosen(place).mirrored) std::memset(value, 0xFF, type.size);
  }

 private:
  const Choice& Chosen(const LeafPlace& place) {
    const FieldKey field{place.record, place.field};
    if (fields_ && std::find(fields_->begin(), fields_->end(), field) == fields_->end())
      fields_->push_back(field);
    const auto own = plan_.fields.find(field);
    return own == plan_.fields.end() ? plan_.usual : own->second;
  }

  /// Mirrors a bool. Fields become true. Elements are negated, so that they still differ from each
  /// other.
  static std::int64_t Bool(const Choice& choice, bool value, bool is_field) {
    if (!choice.mirrored) return choice.most == Choice::kSmall ? 0 : value;
    return is_field || !value;
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

  const Plan& plan_;
  std::vector<FieldKey>* fields_;
};

FilledObject FillMirrored(const TypeInfo& type, std::int64_t number, std::uint64_t own,
                          const Plan& plan, LayoutNotes* notes,
                          std::vector<FieldKey>* fields = nullptr) {
  MirrorPolicy policy(plan, fields);
  return FillObject(type, number, own, policy, notes);
}

/// True if the body accepts these values both when writing and when reading them.
bool Takes(const TypeInfo& type, std::int64_t number, std::uint64_t own, const Plan& plan,
           std::vector<FieldKey>* fields = nullptr) {
  const FilledObject filled = FillMirrored(type, number, own, plan, nullptr, fields);
  if (!filled.ok) return false;
  const auto bytes = TracedBytes(type, filled.object.get(), number);
  if (!bytes) return false;
  const Object again(type);
  return TraceRead(type, *bytes, number, again.get(), Leaves::Untold).ok;
}

// Maximum number of attempts for a body that rejects values. Fields beyond the limit keep small
// values.
constexpr std::size_t kMostTries = 400;

/// Returns choices that the body accepts, or nullopt if it rejects even small values. A rejection
/// does not reveal which field caused it. Therefore, tries the fields one by one, and gives each
/// the largest values that the body accepts together with those chosen before.
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
                                        std::uint64_t own, const SampleFilter& wanted) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  for (const auto& [mirrored, name] :
       {std::pair(false, "auto-far"), std::pair(true, "auto-mirrored")}) {
    if (!Progress::Enter(root.name, std::string("automatic sample ") + name)) continue;
    const auto plan = PlanFor(type, number, own, mirrored);
    // Skip a far sample that would equal an automatic sample.
    const bool as_filled = plan && !mirrored && plan->usual.most == Choice::kFull;
    if (!plan || as_filled) continue;
    LayoutNotes notes;
    const FilledObject filled = FillMirrored(type, number, own, *plan, &notes);
    if (!wanted(filled.object, notes, SIZE_MAX)) continue;
    samples.push_back(
        {name, false, [&type, own, plan = *plan](std::int64_t at, LayoutNotes* noted) {
           return FillMirrored(type, at, own, plan, noted).object;
         }});
  }
  return samples;
}

}  // namespace revctl::harness
