// Implements `generate`, which needs a repository and `.revctl.yaml` only if the user selects a
// list by its name in `.revctl.yaml`.
#include <filesystem>

#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/generate/check_revisions.h"
#include "revctl/generate/write_cpp.h"
#include "revctl/session/session.h"
#include "revctl/workspace/list_source.h"

namespace revctl::commands {
namespace {

generate::Revisions NamesOf(const list::RevisionList& list, const std::string& prefix) {
  generate::Revisions names{list.path, prefix, {}};
  for (const list::Entry& entry : list.entries) {
    if (entry.kind != list::EntryKind::Sentinel) names.numbers.emplace(entry.name, entry.number);
  }
  return names;
}

Outcome RunGenerate(const Arguments& arguments, Session& session) {
  const std::filesystem::path base(session.directory);
  const std::string name = arguments.Value("TYPES.yaml");
  TRY(auto text, config::ReadFile((base / name).generic_string(), config::kMaxConfigBytes));
  if (!text.has_value())
    return Error{Exit::Usage, name + ": there is no such file",
                 "see docs/formats/definition.md for an example"};
  TRY(auto definition, generate::ReadDefinition(*text, name));
  if (arguments.Has("--file") || !session.list.empty()) {
    TRY(auto source,
        FindListSource(arguments, {session.directory, session.list, "revctl generate " + name}));
    TRY(auto list, ReadList(source));
    if (auto wrong =
            generate::CheckRevisions(definition, name, NamesOf(list, source.config.prefix)))
      return *wrong;
  }
  const std::string code = generate::WriteCpp(definition, name);
  const std::string output = arguments.Value("--output");
  if (output.empty()) {
    session.OutExact(code);
    return Exit::Fine;
  }
  // Do not rewrite an unchanged file, because a new timestamp would recompile the sources that
  // include it.
  const std::string path = (base / output).generic_string();
  auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && before->has_value() && **before == code) return Exit::Fine;
  TRY(config::ReplaceFile(path, code));
  return Exit::Fine;
}

}  // namespace

Command GenerateCommand() {
  return {
      {"generate",
       "write C++ structs and Serialize from a definition",
       "A definition file contains all versions of each struct, and describes how new fields are "
       "computed from old fields.\nWith --file or --list, the command also checks the names and "
       "the order of "
       "revisions. A file that is up to\ndate is not touched. CMake runs this command "
       "(revctl_add_types).",
       "$ revctl generate types.yaml --file master_version_list.h --output types.h",
       {{"TYPES.yaml", "the definition file", Positional::Count::One, Hint::File}},
       WithListSource({{"--output", "FILE", "the file to write (default: stdout)", Hint::File}}),
       true},
      RunGenerate};
}

}  // namespace revctl::commands
