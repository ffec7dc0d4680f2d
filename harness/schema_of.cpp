#include "harness/schema_of.h"

#include "harness/type_run.h"

namespace harness {

Schema SchemaAt(const Registry& registry, const std::string& type, std::int64_t number,
                std::int64_t latest, std::uint64_t seed) {
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
  return schema;
}

}  // namespace harness
