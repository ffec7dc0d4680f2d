#include <fmt/core.h>
#include <cstdio>

#include "harness/commands/command.h"
#include "harness/schema/kaitai.h"
#include "harness/schema/schema.h"
#include "harness/trace/tracing.h"
#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"

namespace revctl::harness {
namespace {

Schema At(const Session& session, const std::string& type, const revctl::ListEntry& entry) {
  const golden::Store store = golden::Store::Open(session.golden);
  return SchemaAt(session.registry, History(*session.list, store), type, entry.number,
                  session.seed);
}

Exit PrintKaitai(const Session& session, const SchemaArguments& arguments,
                 const revctl::ListEntry& at) {
  std::string type = arguments.type;
  if (type.empty() && session.registry.types.size() == 1)
    type = session.registry.types.front().name;
  if (type.empty())
    return Refuse(Exit::Usage, "a Kaitai Struct description needs exactly one type",
                  fmt::format("{} schema --format ksy --type {}", session.program,
                              base::ShellWord(session.registry.types.front().name)));
  if (const RootType* root = session.registry.Find(type); root != nullptr && IsOpaque(root->type()))
    return Refuse(Exit::Usage, type + ": its wire kind is Opaque, so its bytes cannot be described",
                  fmt::format("{} schema --type {}   # its values and their gates", session.program,
                              base::ShellWord(type)));
  const Schema schema = At(session, type, at);
  if (schema.types.empty())
    return Refuse(Exit::Usage, fmt::format("{} was not yet serialized at {}", type, at.name));
  const KaitaiResult result = KaitaiText(schema, {type, session.list, &at});
  for (const std::string& problem : result.problems)
    std::fprintf(stderr, "error: %s\n", problem.c_str());
  if (!result.problems.empty()) return Exit::Findings;
  std::fputs(result.text.c_str(), stdout);
  return Exit::Fine;
}

}  // namespace

Exit RunSchema(const Session& session, const SchemaArguments& arguments) {
  const revctl::ListEntry* at =
      arguments.at.empty() ? session.list->Latest() : FindRevision(session, arguments.at);
  if (at == nullptr) return Refuse(Exit::Usage, NoSuchRevision(session, arguments.at));
  if (!arguments.type.empty() && session.registry.Find(arguments.type) == nullptr) {
    return Refuse(Exit::Usage, "no HARNESS_TYPE registers " + arguments.type);
  }
  if (arguments.format == "ksy") return PrintKaitai(session, arguments, *at);
  const Schema schema = At(session, arguments.type, *at);
  if (arguments.format == "json" || session.format == revctl::findings::Format::Json) {
    PrintJson(SchemaJson(schema, *at));
    return Exit::Fine;
  }
  std::fputs(SchemaText(schema, *at).c_str(), stdout);
  return Exit::Fine;
}

Exit RunDiff(const Session& session, const DiffArguments& arguments) {
  const revctl::ListEntry* from = FindRevision(session, arguments.from);
  const revctl::ListEntry* to = FindRevision(session, arguments.to);
  for (const auto& [entry, name] : {std::pair(from, arguments.from), std::pair(to, arguments.to)}) {
    if (entry == nullptr) return Refuse(Exit::Usage, NoSuchRevision(session, name));
  }
  const auto changes = CompareSchemas(At(session, "", *from), At(session, "", *to));
  if (session.format == revctl::findings::Format::Json) {
    PrintJson(base::Json::Object()
                  .Set("version", 1)
                  .Set("from", from->name)
                  .Set("to", to->name)
                  .Set("changes", ChangesJson(changes)));
  } else {
    std::fputs(ChangesText(changes).c_str(), stdout);
  }
  return Exit::Fine;
}

}  // namespace revctl::harness
