// codegen: needs .revctl.yaml and the list, no repository: a source archive builds, too.
#include <filesystem>

#include "revctl/commands/command.h"
#include "revctl/commands/views.h"
#include "revctl/config/files.h"
#include "revctl/list/codegen.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

struct Source {
  list::ListConfig config;
  std::string file;
};

/// The list that `--file` names, or that .revctl.yaml does.
Result<Source> FindSource(const Arguments& arguments, const Session& session) {
  auto directory = AbsoluteFolder(session.directory);
  if (!directory.ok()) return directory.error();
  const std::filesystem::path base(*directory);
  const bool given = arguments.Has("--file");
  const std::string wanted = given ? (base / arguments.Value("--file")).lexically_normal().string() : "";
  auto folder = FindConfigFolder(given ? std::filesystem::path(wanted).parent_path().string() : *directory, "");
  if (folder) {
    auto read = ReadConfig(*folder);
    if (!read.ok()) return read.error();
    if (read->has_value()) {
      for (const list::ListConfig& list : (**read).lists) {
        const std::string file = *folder + "/" + list.path;
        const bool named = session.list.empty() || session.list == list.name || session.list == list.path;
        if (given ? config::ResolvedPath(file) == config::ResolvedPath(wanted) && named : named) return Source{list, file};
      }
    }
  }
  if (!given) {
    if (!folder) return Error{Exit::Usage, *directory + ": no .revctl.yaml here or in a folder above", "revctl init, or revctl codegen --file LIST.h"};
    return Error{Exit::Usage, "--list " + session.list + ": .revctl.yaml has no such list", ""};
  }
  // A list that no .revctl.yaml knows: a build without the tool's set-up.
  Source source{{}, wanted};
  source.config.path = arguments.Value("--file");
  source.config.enum_name = arguments.Value("--enum");
  if (arguments.Has("--prefix")) source.config.prefix = arguments.Value("--prefix");
  return source;
}

Outcome Run(const Arguments& arguments, Session& session) {
  auto source = FindSource(arguments, session);
  if (!source.ok()) return source.error();
  auto text = config::ReadFile(source->file, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value()) return Error{Exit::Usage, source->config.path + ": there is no such file", "mend `path` in .revctl.yaml"};
  auto parsed = list::Parse(**text, source->config, source->config.path);
  if (!parsed.ok()) return parsed.error();
  const std::string include = arguments.Has("--include") ? arguments.Value("--include")
                                                         : std::filesystem::path(source->file).filename().string();
  auto table = list::GenerateTable(*parsed, source->config, list::Lineages(*parsed, LineageRoot(source->config)), include);
  if (!table.ok()) return table.error();
  const std::string output = arguments.Value("--output");
  if (output.empty()) {
    session.Out(*table);
    return Exit::Fine;
  }
  // An unchanged table keeps its date, so that nothing is compiled again for it.
  const std::string path = (std::filesystem::path(session.directory) / output).string();
  auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && before->has_value() && **before == *table) return Exit::Fine;
  auto written = config::ReplaceFile(path, *table);
  if (!written.ok()) return written.error();
  return Exit::Fine;
}

}  // namespace

Command CodegenCommand() {
  return {"codegen", "write the C++ table of names, numbers and lineages",
          "What include/revctl needs to know of the list, as a header. CMake calls it (revctl_add_harness).\n"
          "A file that would not change is left alone.",
          "$ revctl codegen --output build/master_version_list_table.h", {},
          {{"--output", "FILE", "where to write it; without: to stdout", Hint::File},
           {"--include", "PATH", "how the table includes the list (default: its file name)", Hint::None},
           {"--file", "LIST.h", "this list, also where no .revctl.yaml knows it", Hint::File},
           {"--prefix", "PREFIX", "with --file: what its revisions begin with (SR_)", Hint::None},
           {"--enum", "NAME", "with --file: which enum", Hint::None}},
          Run};
}

}  // namespace revctl::commands
