#include "harness/samples/samples.h"

#include <fmt/core.h>
#include <set>

#include "golden/payload_pack.h"
#include "harness/samples/sample_filler.h"
#include "harness/samples/sample_makers.h"
#include "harness/trace/progress.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::Kind;
using revctl::TypeInfo;

constexpr std::size_t kMostAutomatic = 8;

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

void AddOutcomes(const LayoutNotes& notes, std::set<std::string>& atoms) {
  for (const auto& [condition, outcomes] : notes.Conditions()) {
    if (outcomes.when_true) atoms.insert("if " + condition);
    if (outcomes.when_false) atoms.insert("unless " + condition);
  }
}

}  // namespace

Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes) {
  LeafPolicy as_filled;
  return std::move(FillObject(type, number, seed, as_filled, notes).object);
}

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
      atoms.insert(place + " " + leaf.text);  // true, false, an enumerator
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
  std::set<std::uint64_t> payloads;  // by hash
  LayoutNotes all;
  std::size_t automatic = 0;
  // Whether the object becomes a sample: it can be written, no other has its bytes, and it reaches
  // something that none before it did, or is wanted `always`.
  const auto consider = [&](const Object& object, const LayoutNotes& filled, bool always,
                            std::size_t most_leaves) {
    Traced traced = TraceWrite(type, object.get(), number);
    if (!traced.ok || traced.leaves.size() > most_leaves ||
        !payloads.insert(golden::PayloadHash(traced.bytes)).second)
      return false;
    std::size_t fresh = 0;
    std::set<std::string> atoms = Reached(traced);
    AddOutcomes(filled, atoms);
    for (const std::string& atom : atoms) fresh += reached.insert(atom).second;
    all.Merge(traced.notes);
    all.Merge(filled);
    return fresh > 0 || always;
  };
  for (std::uint64_t i = 0; i < kSampleSeeds && automatic < kMostAutomatic; ++i) {
    LayoutNotes filled;
    const std::uint64_t own = seed * 1000 + i;
    if (!Progress::Enter(root.name, fmt::format("automatic sample of seed {}", own))) continue;
    const Object object = FillSample(type, number, own, &filled);
    if (!consider(object, filled, automatic < 2, SIZE_MAX)) continue;
    samples.push_back({kAutomatic + std::to_string(++automatic), false,
                       [&type, own](std::int64_t at, LayoutNotes* notes) {
                         return FillSample(type, at, own, notes);
                       }});
  }
  const Wanted wanted = [&](const Object& object, const LayoutNotes& filled,
                            std::size_t most_leaves) {
    return consider(object, filled, true, most_leaves);
  };
  const std::uint64_t own = seed * 1000;  // of the form that leaves nothing empty
  for (Sample& sample : MakeMirroredSamples(root, number, own, wanted))
    samples.push_back(std::move(sample));
  for (Sample& sample : MakeEdgeSamples(root, number, own, all, wanted))
    samples.push_back(std::move(sample));
  return samples;
}

}  // namespace revctl::harness
