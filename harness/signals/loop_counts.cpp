#include "harness/signals/loop_counts.h"

#include <map>

#include "harness/layout/fields.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

/// Returns the path without its repeat number. For example, `slot~3`, the third visit of `slot`,
/// becomes `slot`.
std::string WithoutRepeat(const std::string& path) { return path.substr(0, path.find('~')); }

std::map<std::string, std::size_t> CountPlaces(const std::vector<golden::Leaf>& leaves) {
  std::map<std::string, std::size_t> counts;
  for (const golden::Leaf& leaf : leaves) ++counts[WithoutRepeat(leaf.path)];
  return counts;
}

/// Returns the place of the unnamed visit that reaches the values at `path`. Prefers a visit of a
/// record with a field of that name, or a visit in the record that contains the values.
SourcePlace PlaceOfVisit(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                         const std::string& path) {
  const std::string name = path.substr(path.rfind('.') + 1);
  const revctl::LayoutField* const around = FieldAt(layouts, root, path);
  const std::string holder = around == nullptr ? root : around->type;
  SourcePlace any;
  for (const auto& [type, trace] : layouts) {
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (!field.name.empty() || field.file.empty()) continue;
      const SourcePlace place{field.file, field.line};
      const auto element = layouts.find(field.type);
      const bool leads =
          element != layouts.end() && FindField(element->second.layout.fields, name) != nullptr;
      if (leads || Mentions(holder, type)) return place;
      any = place;
    }
  }
  return any;
}

}  // namespace

std::optional<LoopCount> FindLoopCount(const RootType& root, const Decoded& decoded) {
  if (IsOpaque(root.type())) return std::nullopt;
  const std::vector<golden::Leaf>& recorded = decoded.golden->item->values;
  const std::vector<golden::Leaf>& read = decoded.read.leaves;
  // Writing the object visits a loop to its end, even if reading stopped inside the loop.
  const Object object(root.type());
  (void)TraceRead(root.type(), decoded.golden->payload(), decoded.number, object.get(),
                  Leaves::Untold);
  const auto then = CountPlaces(recorded);
  const auto now = CountPlaces(TraceWrite(root.type(), object.get(), decoded.number).leaves);
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const std::string path = WithoutRepeat(recorded[i].path);
    const auto visits = now.find(path);
    const std::size_t count = then.at(path);
    if (visits != now.end() && visits->second != count && (count > 1 || visits->second > 1)) {
      const SourcePlace place =
          PlaceOfVisit(decoded.read.notes.Layouts(decoded.number), root.name, path);
      return LoopCount{path == "value" ? "" : path, count, visits->second, place};
    }
    if (i >= read.size() || !(read[i] == recorded[i])) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace revctl::harness
