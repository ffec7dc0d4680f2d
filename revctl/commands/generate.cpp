// Implements `codegen` and `generate`, which write C++ code. `codegen` needs a list; `generate`
// reads one only with --file or --list. With --file, `.revctl.yaml` may be missing. Neither needs a
// repository, so both also work in an unpacked source archive.
#include <filesystem>

#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/generate/check_revisions.h"
#include "revctl/generate/write_cpp.h"
#include "revctl/list/writing/codegen.h"
#include "revctl/session/session.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// Writes the code to the file that `--output` names, or to stdout.
Outcome WriteCode(const Arguments& arguments, Session& session, const std::string& code) {
  const std::string output = arguments.Value("--output");
  if (output.empty()) {
    session.OutExact(code);
    return Exit::Fine;
  }
  // Do not rewrite an unchanged file, because a new timestamp would recompile the sources that
  // include it.
  const std::string path = (std::filesystem::path(session.directory) / output).generic_string();
  const auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && *before == code) return Exit::Fine;
  TRY(config::ReplaceFile(path, code));
  return Exit::Fine;
}

Outcome RunCodegen(const Arguments& arguments, Session& session) {
  TRY(auto source, FindListSource(arguments, {session.directory, session.list, "revctl codegen"}));
  TRY(auto parsed, ReadList(source));
  const std::string include = arguments.Has("--include")
                                  ? arguments.Value("--include")
                                  : std::filesystem::path(source.file).filename().generic_string();
  TRY(auto table, list::GenerateTable(parsed, source.config,
                                      list::Lineages(parsed, LineageRoot(source.config)), include));
  return WriteCode(arguments, session, table);
}

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
  return WriteCode(arguments, session, generate::WriteCpp(definition, name));
}

}  // namespace

Command CodegenCommand() {
  return {{"codegen",
           "write the C++ table of names, numbers and lineages",
           "Generates the header that tells the library about the list. CMake runs this command\n"
           "(revctl_add_harness). A file that is up to date is not touched.",
           "$ revctl codegen --output build/master_version_list_table.h",
           {},
           WithListSource({{"--output", "FILE", "the file to write (default: stdout)", Hint::File},
                           {"--include", "PATH",
                            "path of the list in the table's #include (default: its name)"}}),
           true},
          RunCodegen};
}

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
