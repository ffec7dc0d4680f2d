#include "harness/samples.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "golden/payload_pack.h"
#include "harness/condition_edges.h"
#include "harness/progress.h"
#include "harness/tracing.h"
#include "revctl/fill.h"

namespace harness {
namespace {

using revctl::FieldVisit;
using revctl::Kind;
using revctl::TypeInfo;

constexpr std::uint64_t kSeedsTried = 48;
constexpr std::size_t kMostAutomatic = 8;
constexpr std::size_t kMostEdges = 24;

/// One field of one record type is to get a certain value, wherever it occurs.
struct Override {
  std::string record, field;
  std::int64_t value = 0;
};

/// lib's filler, looked at by LayoutNotes, that gives way to an override.
class NotingFiller : public revctl::Filler {
 public:
  /// `bits` is laid over the values of bit-fields, whose widths nothing here knows.
  NotingFiller(std::int64_t number, std::uint64_t seed, const Override* override, std::int64_t bits,
               LayoutNotes* notes)
      : Filler(revctl::Revision(number), seed), override_(override), bits_(bits), notes_(notes) {}

  bool applied() const { return applied_; }
  bool saw_bits() const { return saw_bits_; }

  void BeginRecord(const TypeInfo& type, void* object) override {
    if (notes_) notes_->BeginRecord(type, object, revision);
    records_.push_back(&type);
    Filler::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    Filler::EndRecord(type, object);
    records_.pop_back();
    if (notes_) notes_->EndRecord(revision);
  }
  void Field(const FieldVisit& field) override {
    if (notes_) notes_->Field(field, revision);
    const bool ours = override_ && field.live && field.condition && !records_.empty() &&
                      override_->field == field.site.name &&
                      records_.back()->name() == override_->record;
    const bool outer = std::exchange(pending_, ours);
    Filler::Field(field);
    pending_ = outer;
    if (field.site.form == revctl::Form::Bits && field.live) {
      NarrowTo(field.type, bits_, field.value);
      saw_bits_ = true;
    }
  }
  void Integrity(const FieldVisit& field) override {
    if (notes_) notes_->Integrity(field, revision);
    Filler::Integrity(field);
  }
  void Scalar(const TypeInfo& type, void* value) override {
    if (!Take()) return Filler::Scalar(type, value);
    Put(type, value);
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    const bool ours = Take();
    Filler::Bytes(type, bytes);
    if (ours && type.kind == Kind::String) bytes.assign(Count(), 'x');
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const bool ours = Take();
    const std::size_t filled = Filler::BeginContainer(type, count);
    if (!ours) return filled;
    switch (type.kind) {
      case Kind::Sequence:
      case Kind::Map:
      case Kind::Set:
        return Count();
      case Kind::Optional:
      case Kind::Pointer:
        return override_->value != 0 ? 1 : 0;
      case Kind::Variant:
        return override_->value >= 0 && Count() < type.count ? Count() : filled;
      default:
        return filled;
    }
  }

 private:
  bool Take() {
    if (!pending_) return false;
    pending_ = false;
    applied_ = true;
    return true;
  }
  std::size_t Count() const {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(override_->value, 0, 16));
  }

  static void NarrowTo(const TypeInfo& type, std::int64_t bits, void* value) {
    std::int64_t number = 0;
    std::memcpy(&number, value,
                type.size);  // little-endian machines only; others keep every bit-field zero
    number &= bits;
    std::memcpy(value, &number, type.size);
  }

  template <class Number>
  void PutAs(void* value) const {
    const auto number = static_cast<Number>(override_->value);
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
  std::int64_t bits_;
  LayoutNotes* notes_;
  std::vector<const TypeInfo*> records_;
  bool pending_ = false, applied_ = false, saw_bits_ = false;
};

/// A filled object. Where a bit-field is too narrow for what the filler made up, the body refuses
/// it: then narrower values are tried, down to zero.
Object Fill(const TypeInfo& type, std::int64_t number, std::uint64_t seed, const Override* override,
            LayoutNotes* notes, bool* applied = nullptr) {
  std::int64_t bits = -1;
  for (;;) {
    Object object(type);
    LayoutNotes own;
    NotingFiller filler(number, seed, override, bits, &own);
    filler.VisitRoot(type, object.get());
    if (filler.Ok() || bits == 0 || !filler.saw_bits()) {
      if (notes) notes->Merge(own);
      if (applied) *applied = filler.applied();
      return object;
    }
    bits = bits < 0 ? 0xFFF : bits >> 1;
  }
}

/// What a payload reaches: places, and kinds of values there.
std::set<std::string> Reached(const Traced& traced, const LayoutNotes& filled) {
  std::set<std::string> atoms;
  for (const golden::Leaf& leaf : traced.leaves) {
    const std::string place = PlaceOf(leaf.path);
    atoms.insert(place);
    if (leaf.path.ends_with("#count")) {
      atoms.insert(place + (leaf.text == "0" ? " none" : leaf.text == "1" ? " one" : " many"));
    } else if (leaf.path.ends_with("#index") || leaf.path.ends_with("#present")) {
      atoms.insert(place + " " + leaf.text);
    } else if (leaf.text.starts_with('"')) {
      atoms.insert(place + (leaf.text == "\"\"" ? " empty" : " text"));
    } else if (leaf.text[0] == '-' || (leaf.text[0] >= '0' && leaf.text[0] <= '9')) {
      atoms.insert(place + (leaf.text[0] == '-' ? " negative"
                            : leaf.text == "0"  ? " zero"
                                                : " positive"));
    } else {
      atoms.insert(place + " " + leaf.text);  // true, false, an enumerator
    }
  }
  for (const LayoutNotes* notes : {&traced.notes, &filled}) {
    for (const auto& [condition, outcomes] : notes->Conditions()) {
      if (outcomes.when_true) atoms.insert("if " + condition);
      if (outcomes.when_false) atoms.insert("unless " + condition);
    }
  }
  return atoms;
}

constexpr std::int64_t kScanFrom = -1, kScanTo = 17;

bool IsWhole(const revctl::LayoutField& field,
             const std::map<std::string, revctl::EnumLayout>& enums) {
  const std::string& type = field.type;
  const bool integer = type.size() >= 2 && type.size() <= 3 && (type[0] == 'i' || type[0] == 'u') &&
                       type[1] >= '0' && type[1] <= '9';
  return integer || type == "bool" || enums.contains(type);
}

/// Which field may decide about what is visited, and which values of it are worth a sample wherever
/// it decides.
struct Deciding {
  std::string record, field;
  std::vector<std::int64_t>
      values;  ///< next to the numbers that a condition mentions; the scan finds the others
};

/// Fields that conditions mention; and, where a plain branch decides about a field, every whole
/// number of the record.
std::vector<Deciding> DecidingFields(const LayoutNotes& notes, std::int64_t number) {
  std::vector<Deciding> found;
  const auto enums = notes.Enums();
  for (const auto& [type, trace] : notes.Layouts(number)) {
    bool branches = false;
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (field.condition.empty()) {
        branches = branches || !field.always;
        continue;
      }
      const ConditionEdges edges = EdgesOf(field.condition);
      for (const std::string& name : edges.fields) found.push_back({type, name, edges.values});
    }
    if (!branches) continue;
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (!field.name.empty() && IsWhole(field, enums)) found.push_back({type, field.name, {}});
    }
  }
  return found;
}

/// What is visited, without the values: all paths.
std::string Shape(const Traced& traced) {
  std::string shape;
  for (const golden::Leaf& leaf : traced.leaves) shape += leaf.path + "\n";
  return shape;
}

/// Values on both sides of each place where another value makes the body visit something else.
std::vector<std::int64_t> Turns(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                                const Deciding& deciding) {
  std::vector<std::int64_t> turns;
  std::optional<std::string> before;
  for (std::int64_t value = kScanFrom; value <= kScanTo; ++value) {
    const Override override{deciding.record, deciding.field, value};
    if (!Progress::Enter(type.name(),
                         "automatic sample with " + deciding.field + " = " + std::to_string(value)))
      continue;
    bool applied = false;
    const Object object = Fill(type, number, seed, &override, nullptr, &applied);
    if (!applied) return {};
    std::string shape = Shape(TraceWrite(type, object.get(), number));
    if (before && *before != shape) {
      if (turns.empty() || turns.back() != value - 1) turns.push_back(value - 1);
      turns.push_back(value);
    }
    before = std::move(shape);
  }
  // A container's own count changes the shape at every value: that is no decision.
  return turns.size() > 8 ? std::vector<std::int64_t>() : turns;
}

/// Every override worth a sample, each once.
std::vector<Override> EdgeOverrides(const TypeInfo& type, const LayoutNotes& notes,
                                    std::int64_t number, std::uint64_t seed) {
  std::vector<Override> overrides;
  std::set<std::string> done;
  for (Deciding& deciding : DecidingFields(notes, number)) {
    for (const std::int64_t value : Turns(type, number, seed, deciding))
      deciding.values.push_back(value);
    for (const std::int64_t value : deciding.values) {
      if (!done.insert(deciding.record + "." + deciding.field + "=" + std::to_string(value)).second)
        continue;
      overrides.push_back({deciding.record, deciding.field, value});
    }
  }
  return overrides;
}

void AddByHand(const RootType& root, std::vector<Sample>& samples) {
  for (const SampleEntry& entry : root.samples) {
    samples.push_back(
        {entry.name, true, [&type = root.type(), make = entry.make](std::int64_t, LayoutNotes*) {
           Object object(type);
           make(object.get());
           return object;
         }});
  }
}

}  // namespace

std::vector<Sample> MakeSamples(const RootType& root, std::int64_t number, std::uint64_t seed) {
  std::vector<Sample> samples;
  AddByHand(root, samples);
  const TypeInfo& type = root.type();
  std::set<std::string> reached;
  std::set<std::uint64_t> payloads;  // by hash
  LayoutNotes all;
  std::size_t automatic = 0;
  const auto consider = [&](Object object, const LayoutNotes& filled, bool always) {
    Traced traced = TraceWrite(type, object.get(), number);
    if (!traced.ok || !payloads.insert(golden::PayloadHash(traced.bytes)).second) return false;
    std::size_t fresh = 0;
    for (const std::string& atom : Reached(traced, filled)) fresh += reached.insert(atom).second;
    all.Merge(traced.notes);
    all.Merge(filled);
    return fresh > 0 || always;
  };
  for (std::uint64_t i = 0; i < kSeedsTried && automatic < kMostAutomatic; ++i) {
    LayoutNotes filled;
    const std::uint64_t own = seed * 1000 + i;
    if (!Progress::Enter(root.name, "automatic sample of seed " + std::to_string(own))) continue;
    Object object = Fill(type, number, own, nullptr, &filled);
    if (!consider(std::move(object), filled, automatic < 2)) continue;
    samples.push_back({"auto-" + std::to_string(++automatic), false,
                       [&type, own](std::int64_t at, LayoutNotes* notes) {
                         return Fill(type, at, own, nullptr, notes);
                       }});
  }
  std::size_t edges = 0;
  const std::uint64_t own = seed * 1000;  // of the form that leaves nothing empty
  for (const Override& override : EdgeOverrides(type, all, number, own)) {
    if (edges >= kMostEdges) break;
    if (!Progress::Enter(root.name, "automatic sample with " + override.field + " = " +
                                        std::to_string(override.value)))
      continue;
    LayoutNotes filled;
    bool applied = false;
    Object object = Fill(type, number, own, &override, &filled, &applied);
    if (!applied || !consider(std::move(object), filled, true)) continue;
    ++edges;
    samples.push_back({"edge-" + override.field + "-" + std::to_string(override.value), false,
                       [&type, own, override](std::int64_t at, LayoutNotes* notes) {
                         return Fill(type, at, own, &override, notes);
                       }});
  }
  return samples;
}

}  // namespace harness
