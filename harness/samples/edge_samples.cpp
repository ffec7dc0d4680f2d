// Samples on either side of what decides: a condition that begins to decide otherwise reads one of
// them differently.
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "harness/samples/condition_edges.h"
#include "harness/samples/sample_makers.h"
#include "harness/trace/progress.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::TypeInfo;

constexpr std::size_t kMostEdges = 32;
constexpr std::size_t kMostSized = 300, kMostLeavesOfMany = 400;

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
  ConditionEdges edges;  ///< next to what a condition mentions; the scan finds the others
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
      for (const std::string& name : edges.fields) found.push_back({type, name, edges});
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
    Override override{deciding.record, deciding.field};
    override.value = value;
    if (!Progress::Enter(type.name(),
                         "automatic sample with " + deciding.field + " = " + std::to_string(value)))
      continue;
    bool applied = false;
    const Object object = FillSample(type, number, seed, &override, nullptr, &applied);
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

/// As it stands in the sample's name.
std::string Spelled(const Override& override, std::size_t texts) {
  if (override.text) return "text-" + std::to_string(texts);
  if (!override.real) return std::to_string(override.value);
  char number[32];
  const std::string exact(number,
                          std::to_chars(number, number + sizeof number, *override.real).ptr);
  return (override.step < 0 ? "below-" : override.step > 0 ? "above-" : "") + exact;
}

/// An override worth a sample, and the name of that.
struct Edge {
  Override override;
  std::string name;
};

/// Each once.
std::vector<Edge> EdgesWorthIt(const TypeInfo& type, const LayoutNotes& notes, std::int64_t number,
                               std::uint64_t seed) {
  std::vector<Edge> found;
  std::set<std::string> done, names;
  for (Deciding& deciding : DecidingFields(notes, number)) {
    std::size_t texts = 0;
    const auto add = [&](Override override) {
      const std::string spelled = Spelled(override, texts);
      const std::string what = override.text ? *override.text : spelled;
      if (!done.insert(deciding.record + "." + deciding.field + "=" + what).second) return;
      override.record = deciding.record;
      override.field = deciding.field;
      std::string name = "edge-" + deciding.field + "-" + spelled;
      if (!names.insert(name).second) names.insert(name += " of " + deciding.record);
      found.push_back({std::move(override), std::move(name)});
    };
    const auto add_whole = [&](std::int64_t value) {
      Override override;
      override.value = value;
      if (deciding.edges.asks_size) override.most_elements = kMostSized;
      if (!deciding.edges.asks_size || value <= static_cast<std::int64_t>(kMostSized))
        add(override);
    };
    for (const std::int64_t value : deciding.edges.values) add_whole(value);
    for (const std::int64_t value : Turns(type, number, seed, deciding)) add_whole(value);
    for (const double real : deciding.edges.reals) {
      for (const int step : {-1, 0, 1}) {
        Override override;
        override.real = real;
        override.step = step;
        add(override);
      }
    }
    for (const std::string& text : deciding.edges.texts) {
      ++texts;
      Override override;
      override.text = text;
      add(override);
    }
  }
  return found;
}

}  // namespace

std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const Wanted& wanted) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  for (const Edge& edge : EdgesWorthIt(type, notes, number, own)) {
    if (samples.size() >= kMostEdges) break;
    if (!Progress::Enter(root.name, "automatic sample " + edge.name)) continue;
    LayoutNotes filled;
    bool applied = false;
    const Object object = FillSample(type, number, own, &edge.override, &filled, &applied);
    const bool many = edge.override.most_elements > Override{}.most_elements &&
                      edge.override.value > static_cast<std::int64_t>(Override{}.most_elements);
    if (!applied || !wanted(object, filled, many ? kMostLeavesOfMany : SIZE_MAX)) continue;
    samples.push_back({edge.name, false,
                       [&type, own, override = edge.override](std::int64_t at, LayoutNotes* noted) {
                         return FillSample(type, at, own, &override, noted);
                       }});
  }
  return samples;
}

}  // namespace revctl::harness
