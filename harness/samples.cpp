#include "harness/samples.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "harness/condition_edges.h"
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
  NotingFiller(std::int64_t number, std::uint64_t seed, const Override* override, LayoutNotes* notes)
      : Filler(revctl::Revision(number), seed), override_(override), notes_(notes) {}

  bool applied() const { return applied_; }

  void BeginRecord(const TypeInfo& type, void* object) override {
    if (notes_) notes_->BeginRecord(type, revision);
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
    const bool ours = override_ && field.live && field.condition && !records_.empty() && override_->field == field.site.name &&
                      records_.back()->name() == override_->record;
    if (!ours) return Filler::Field(field);
    const bool outer = std::exchange(pending_, true);
    Filler::Field(field);
    pending_ = outer;
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
      case Kind::Set: return Count();
      case Kind::Optional:
      case Kind::Pointer: return override_->value != 0 ? 1 : 0;
      case Kind::Variant: return override_->value >= 0 && Count() < type.count ? Count() : filled;
      default: return filled;
    }
  }

 private:
  bool Take() {
    if (!pending_) return false;
    pending_ = false;
    applied_ = true;
    return true;
  }
  std::size_t Count() const { return static_cast<std::size_t>(std::clamp<std::int64_t>(override_->value, 0, 16)); }

  template <class Number>
  void PutAs(void* value) const {
    const auto number = static_cast<Number>(override_->value);
    std::memcpy(value, &number, sizeof number);
  }
  void Put(const TypeInfo& type, void* value) {
    switch (type.underlying) {
      case Kind::Bool: PutAs<bool>(value); break;
      case Kind::F32: PutAs<float>(value); break;
      case Kind::F64: PutAs<double>(value); break;
      default:
        switch (type.size) {
          case 1: PutAs<std::int8_t>(value); break;
          case 2: PutAs<std::int16_t>(value); break;
          case 4: PutAs<std::int32_t>(value); break;
          default: PutAs<std::int64_t>(value); break;
        }
    }
  }

  const Override* override_;
  LayoutNotes* notes_;
  std::vector<const TypeInfo*> records_;
  bool pending_ = false, applied_ = false;
};

Object Fill(const TypeInfo& type, std::int64_t number, std::uint64_t seed, const Override* override, LayoutNotes* notes,
            bool* applied = nullptr) {
  Object object(type);
  LayoutNotes own;
  NotingFiller filler(number, seed, override, &own);
  filler.VisitRoot(type, object.get());
  if (notes) notes->Merge(own);
  if (applied) *applied = filler.applied();
  return object;
}

/// `players[3].name` as `players[].name`: what a place is, not which.
std::string PlaceOf(const std::string& path) {
  std::string place;
  for (std::size_t i = 0; i < path.size(); ++i) {
    place += path[i];
    if (path[i] != '[') continue;
    while (i + 1 < path.size() && path[i + 1] != ']') ++i;
  }
  return place;
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
      atoms.insert(place + (leaf.text[0] == '-' ? " negative" : leaf.text == "0" ? " zero" : " positive"));
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

/// The conditions of all records that any automatic sample visits.
std::vector<Override> EdgeOverrides(const LayoutNotes& notes, std::int64_t number) {
  std::vector<Override> overrides;
  std::set<std::string> done;
  for (const auto& [type, trace] : notes.Layouts(number)) {
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (field.condition.empty()) continue;
      const ConditionEdges edges = EdgesOf(field.condition);
      for (const std::string& name : edges.fields) {
        for (const std::int64_t value : edges.values) {
          if (!done.insert(type + "." + name + "=" + std::to_string(value)).second) continue;
          overrides.push_back({type, name, value});
        }
      }
    }
  }
  return overrides;
}

void AddByHand(const RootType& root, std::vector<Sample>& samples) {
  for (const SampleEntry& entry : root.samples) {
    samples.push_back({entry.name, true, [&type = root.type(), make = entry.make](std::int64_t, LayoutNotes*) {
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
  std::set<std::vector<std::byte>> payloads;
  LayoutNotes all;
  std::size_t automatic = 0;
  const auto consider = [&](Object object, const LayoutNotes& filled, bool always) {
    Traced traced = TraceWrite(type, object.get(), number);
    if (!traced.ok || !payloads.insert(traced.bytes).second) return false;
    std::size_t fresh = 0;
    for (const std::string& atom : Reached(traced, filled)) fresh += reached.insert(atom).second;
    all.Merge(traced.notes);
    all.Merge(filled);
    return fresh > 0 || always;
  };
  for (std::uint64_t i = 0; i < kSeedsTried && automatic < kMostAutomatic; ++i) {
    LayoutNotes filled;
    const std::uint64_t own = seed * 1000 + i;
    Object object = Fill(type, number, own, nullptr, &filled);
    if (!consider(std::move(object), filled, automatic < 2)) continue;
    samples.push_back({"auto-" + std::to_string(++automatic), false, [&type, own](std::int64_t at, LayoutNotes* notes) {
                         return Fill(type, at, own, nullptr, notes);
                       }});
  }
  std::size_t edges = 0;
  for (const Override& override : EdgeOverrides(all, number)) {
    if (edges >= kMostEdges) break;
    LayoutNotes filled;
    bool applied = false;
    const std::uint64_t own = seed * 1000;
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
