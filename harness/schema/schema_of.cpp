#include "harness/schema/schema_of.h"

#include <algorithm>

#include "harness/samples/type_run.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

bool HasFieldsOf(const Schema& schema, const std::string& name) {
  return std::any_of(schema.types.begin(), schema.types.end(), [&](const auto& entry) {
    const auto& fields = entry.second.layout.fields;
    return std::any_of(fields.begin(), fields.end(), [&](const revctl::LayoutField& field) {
      return Mentions(field.type, name);
    });
  });
}

/// Today's code knows today's enumerators alone: which of them a revision had is recorded. Newer
/// revisions than the newest recorded one have today's.
void TakeRecordedEnums(const History& history, std::int64_t number, Schema& schema) {
  std::erase_if(schema.enums, [&](const auto& entry) { return !HasFieldsOf(schema, entry.first); });
  const std::size_t newest = history.newest_recorded();
  for (std::size_t i = 0; newest != History::none() && i <= newest; ++i) {
    if (history.revisions()[i].number != number) continue;
    for (auto& [name, layout] : schema.enums) {
      if (const revctl::EnumLayout* recorded = history.EnumAt(name, i)) layout = *recorded;
    }
  }
}

}  // namespace

Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed) {
  const std::int64_t latest = history.latest().number;
  Schema schema;
  for (const RootType& root : registry.types) {
    if ((!type.empty() && root.name != type) || root.entry.since > number) continue;
    LayoutNotes notes;
    for (const Sample& sample : MakeSamples(root, latest, seed)) {
      const Object object = sample.make(number, &notes);
      notes.Merge(TraceWrite(root.type(), object.get(), number).notes);
    }
    schema.types.merge(notes.Layouts(number));
    schema.enums.merge(notes.Enums());
  }
  TakeRecordedEnums(history, number, schema);
  return schema;
}

}  // namespace revctl::harness
