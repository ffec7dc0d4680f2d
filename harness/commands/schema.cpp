#include <cstdio>

#include "harness/commands/command.h"
#include "harness/schema_text.h"
#include "harness/type_run.h"

namespace harness {
namespace {

Schema SchemaAt(const Session& session, const std::string& type, std::int64_t number) {
  Schema schema;
  const std::int64_t latest = session.list->Latest()->number;
  for (const RootType& root : session.registry.types) {
    if ((!type.empty() && root.name != type) || root.entry.since > number) continue;
    LayoutNotes notes;
    for (const Sample& sample : MakeSamples(root, latest, session.seed)) {
      const Object object = sample.make(number, &notes);
      notes.Merge(TraceWrite(root.type(), object.get(), number).notes);
    }
    schema.types.merge(notes.Layouts(number));
    schema.enums.merge(notes.Enums());
  }
  return schema;
}

}  // namespace

Exit RunSchema(const Session& session, const SchemaArguments& arguments) {
  const revctl::ListEntry* at =
      arguments.at.empty() ? session.list->Latest() : FindRevision(session, arguments.at);
  if (at == nullptr) return Refuse(Exit::Usage, "the list has no revision " + arguments.at);
  if (!arguments.type.empty() && session.registry.Find(arguments.type) == nullptr) {
    return Refuse(Exit::Usage, "no HARNESS_TYPE registers " + arguments.type);
  }
  std::printf("revision: %s\nnumber: %lld\n", std::string(at->name).c_str(),
              static_cast<long long>(at->number));
  std::fputs(SchemaText(SchemaAt(session, arguments.type, at->number)).c_str(), stdout);
  return Exit::Fine;
}

Exit RunDiff(const Session& session, const DiffArguments& arguments) {
  const revctl::ListEntry* from = FindRevision(session, arguments.from);
  const revctl::ListEntry* to = FindRevision(session, arguments.to);
  for (const auto& [entry, name] : {std::pair(from, arguments.from), std::pair(to, arguments.to)}) {
    if (entry == nullptr) return Refuse(Exit::Usage, "the list has no revision " + name);
  }
  std::fputs(
      SchemaChanges(SchemaAt(session, "", from->number), SchemaAt(session, "", to->number)).c_str(),
      stdout);
  return Exit::Fine;
}

}  // namespace harness
