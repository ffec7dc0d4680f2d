// Implements `codegen`, which needs `.revctl.yaml` and the list but no repository, so it also works
// in an unpacked source archive.
#include <filesystem>

#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/list/writing/codegen.h"
#include "revctl/session/session.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

Outcome RunCodegen(const Arguments& arguments, Session& session) {
  TRY(auto source, FindListSource(arguments, {session.directory, session.list, "revctl codegen"}));
  TRY(auto parsed, ReadList(source));
  const std::string include = arguments.Has("--include")
                                  ? arguments.Value("--include")
                                  : std::filesystem::path(source.file).filename().generic_string();
  TRY(auto table, list::GenerateTable(parsed, source.config,
                                      list::Lineages(parsed, LineageRoot(source.config)), include));
  const std::string output = arguments.Value("--output");
  if (output.empty()) {
    session.OutExact(table);
    return Exit::Fine;
  }
  // Do not rewrite an unchanged table, because a new timestamp would recompile the sources that
  // include it.
  const std::string path = (std::filesystem::path(session.directory) / output).generic_string();
  auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && before->has_value() && **before == table) return Exit::Fine;
  TRY(config::ReplaceFile(path, table));
  return Exit::Fine;
}

}  // namespace

Command CodegenCommand() {
  return {{"codegen",
           "write the C++ table of names, numbers and lineages",
           "Generates the header that tells the library about the list. CMake runs this command\n"
           "(revctl_add_harness). A file that is up to date is not touched.",
           "$ revctl codegen --output build/master_version_list_table.h",
           {},
           WithListSource(
               {{"--output", "FILE", "the file to write (default: stdout)", Hint::File},
                {"--include", "PATH",
                 "path of the list in the table's #include (default: its name)", Hint::None}}),
           true},
          RunCodegen};
}

}  // namespace revctl::commands
