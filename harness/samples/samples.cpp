#include "harness/samples/samples.h"

#include <fmt/core.h>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "golden/large_payload.h"
#include "golden/payload_pack.h"
#include "harness/samples/edge_samples.h"
#include "harness/samples/sample_filler.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values) {
  std::uint64_t cost = bytes;
  for (const golden::Leaf& leaf : values) cost += leaf.path.size() + leaf.text.size() + 9;
  return cost;
}

namespace {

using revctl::FieldVisit;
using revctl::Kind;
using revctl::TypeInfo;

constexpr std::size_t kMostAutomatic = 8;
/// Maximum number of automatic samples for a type with large payloads, because one large sample
/// costs as much as hundreds of small ones.
constexpr std::size_t kMostLargeAutomatic = 3;

void AddByHand(const RootType& root, std::vector<Sample>& samples) {
  for (const SampleEntry& entry : root.samples) {
    samples.push_back(
        {entry.name, true, [&type = root.type(), make = entry.make](std::int64_t, LayoutNotes*) {
           ResetProgram();
           Object object(type);
           make(object.get());
           return object;
         }});
  }
}

void AddOutcomes(const LayoutNotes& notes, std::set<std::string>& atoms) {
  for (const auto& [condition, outcomes] : notes.Conditions()) {
    if (outcomes.when_true) atoms.insert("if " + condition);
    if (outcomes.when_false) atoms.insert("unless " + condition);
  }
}

}  // namespace

std::set<std::string> Reached(const Traced& traced) {
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
      atoms.insert(place + " " + leaf.text);  // the text of a bool or an enumerator
    }
  }
  AddOutcomes(traced.notes, atoms);
  return atoms;
}

std::vector<Sample> MakeSamples(const RootType& root, std::int64_t number, std::uint64_t seed) {
  std::vector<Sample> samples;
  AddByHand(root, samples);
  const TypeInfo& type = root.type();
  std::set<std::string> reached;
  std::set<std::uint64_t> payloads;
  LayoutNotes all;
  std::size_t automatic = 0;
  bool large = false;
  // True if the object should become a sample: it can be written, its bytes are distinct, and it
  // reaches something new (or `always` is true).
  const auto consider = [&](const Object& object, const LayoutNotes& filled, bool always,
                            std::size_t most_leaves) {
    Traced traced = TraceWrite(type, object.get(), number);
    if (!traced.ok || traced.leaves.size() > most_leaves ||
        !payloads.insert(golden::PayloadHash(traced.bytes)).second)
      return false;
    large |= traced.bytes.size() > golden::kLargestSmallPayload;
    std::size_t fresh = 0;
    std::set<std::string> atoms = Reached(traced);
    AddOutcomes(filled, atoms);
    for (const std::string& atom : atoms) fresh += reached.insert(atom).second;
    all.Merge(traced.notes);
    all.Merge(filled);
    return fresh > 0 || always;
  };
  for (std::uint64_t i = 0;
       i < kSampleSeeds && automatic < (large ? kMostLargeAutomatic : kMostAutomatic); ++i) {
    LayoutNotes filled;
    const std::uint64_t own = seed * 1000 + i;
    if (!Progress::Enter(root.name, fmt::format("automatic sample with seed {}", own))) continue;
    const Object object = FillSample(type, number, own, &filled);
    if (!consider(object, filled, automatic < 2, SIZE_MAX)) continue;
    samples.push_back({kAutomatic + std::to_string(++automatic), false,
                       [&type, own](std::int64_t at, LayoutNotes* notes) {
                         return FillSample(type, at, own, notes);
                       }});
  }
  if (large) return samples;
  const SampleFilter wanted = [&](const Object& object, const LayoutNotes& filled,
                                  std::size_t most_leaves) {
    return consider(object, filled, true, most_leaves);
  };
  const std::uint64_t own = seed * 1000;  // this seed leaves no container empty
  for (Sample& sample : MakeMirroredSamples(root, number, own, wanted))
    samples.push_back(std::move(sample));
  for (Sample& sample : MakeEdgeSamples(root, number, own, all, wanted))
    samples.push_back(std::move(sample));
  return samples;
}

// Extreme samples contain values that automatic samples avoid. They never become goldens, because
// such values would make goldens hard to read.

namespace {

enum class Extreme {
  Many,   ///< more elements than a hand-unrolled loop would handle, strings with NUL, NaNs
  Zeros,  ///< optional values are present, but zero or empty, and one key is empty
};
constexpr std::size_t kMany = 9;

/// Chooses extreme values. Nested containers stay small.
class ExtremePolicy : public LeafPolicy {
 public:
  explicit ExtremePolicy(Extreme extreme) : extreme_(extreme) {}

  void Scalar(const TypeInfo& type, void* value, const LeafPlace& place) override {
    if (type.kind == Kind::Enum) return;  // keep the value, because zero may not be an enumerator
    if (extreme_ == Extreme::Zeros) {
      if (MayBeEmpty(place)) std::memset(value, 0, type.size);
    } else if (type.kind == Kind::F32 && !place.in_key) {
      const float none = std::numeric_limits<float>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    } else if (type.kind == Kind::F64 && !place.in_key) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    }
  }
  void Bytes(const TypeInfo& type, std::string& bytes, const LeafPlace& place) override {
    if (type.kind != Kind::String) return;
    if (extreme_ == Extreme::Many) bytes.insert(bytes.empty() ? 0 : 1, 1, '\0');
    if (extreme_ == Extreme::Zeros && MayBeEmpty(place)) bytes.clear();
  }
  std::size_t Count(const TypeInfo& type, std::size_t filled, const LeafPlace& place) override {
    const bool grows =
        type.kind == Kind::Sequence || type.kind == Kind::Map || type.kind == Kind::Set;
    const bool may_be = type.kind == Kind::Optional || type.kind == Kind::Pointer;
    if (place.containers == 0 && extreme_ == Extreme::Many && grows) return kMany;
    if (place.containers == 0 && extreme_ == Extreme::Zeros && may_be) return 1;
    return filled;
  }
  void Bits(const TypeInfo& type, void* value, const LeafPlace&) override {
    std::memset(value, 0, type.size);
  }

 private:
  /// Only the first key may be empty, because keys must differ.
  static bool MayBeEmpty(const LeafPlace& place) { return !place.in_key || place.in_first_key; }

  const Extreme extreme_;
};

Object FillExtreme(const TypeInfo& type, std::int64_t number, std::uint64_t seed, Extreme extreme,
                   LayoutNotes* notes) {
  ExtremePolicy policy(extreme);
  return std::move(FillObject(type, number, seed, policy, notes).object);
}

}  // namespace

std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  const std::uint64_t own = seed * 1000;  // this seed leaves no container empty
  for (const auto& [extreme, name] :
       {std::pair(Extreme::Many, "odd-many"), std::pair(Extreme::Zeros, "odd-zeros")}) {
    if (!Progress::Enter(root.name, std::string("automatic sample ") + name)) continue;
    const Object object = FillExtreme(type, number, own, extreme, nullptr);
    if (!TraceWrite(type, object.get(), number).ok) continue;  // a body may reject extreme values
    samples.push_back(
        {name, false, [&type, own, extreme = extreme](std::int64_t at, LayoutNotes* notes) {
           return FillExtreme(type, at, own, extreme, notes);
         }});
  }
  return samples;
}

}  // namespace revctl::harness
