#include "revctl/workspace/list_source.h"

#include <fmt/core.h>

#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/config/files.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

Result<ListSource> FindListSource(const cli::Arguments& arguments, const ListSearch& search) {
  TRY(auto directory, AbsoluteFolder(search.directory));
  const std::filesystem::path base(directory);
  const bool given = arguments.Has("--file");
  const std::string wanted =
      given ? (base / arguments.Value("--file")).lexically_normal().generic_string() : "";
  auto folder = FindConfigFolder(
      given ? std::filesystem::path(wanted).parent_path().generic_string() : directory, "");
  if (folder) {
    TRY(auto read, ReadConfig(*folder));
    if (read.has_value()) {
      for (const list::ListConfig& list : read->lists) {
        const std::string file = *folder + "/" + list.path;
        const bool named =
            search.list.empty() || search.list == list.name || search.list == list.path;
        if (given ? base::ResolvedPath(file) == base::ResolvedPath(wanted) && named : named)
          return ListSource{list, file, *folder};
      }
    }
  }
  if (!given) {
    if (!folder)
      return Error{Exit::Usage, directory + ": no .revctl.yaml in this folder or above it",
                   fmt::format("revctl init, or {} --file LIST.h", search.command)};
    return Error{Exit::Usage, fmt::format("--list {}: .revctl.yaml has no such list", search.list),
                 ""};
  }
  // No .revctl.yaml names the file, for example in a build without revctl's setup.
  ListSource source{{}, wanted, ""};
  source.config.path = arguments.Value("--file");
  source.config.enum_name = arguments.Value("--enum");
  if (arguments.Has("--prefix")) source.config.prefix = arguments.Value("--prefix");
  return source;
}

Result<ConfigFolder> OpenConfigFolder(const std::string& directory, const std::string& folder) {
  TRY(const auto there,
      AbsoluteFolder((std::filesystem::path(directory) / folder).generic_string()));
  const auto root = FindConfigFolder(there, "");
  if (!root)
    return Error{
        Exit::Usage, fmt::format("{}: no {} in this folder or above it", there, config::kFileName),
        fmt::format("create {} there, with `lists: [{{path: LIST.h, numbers: at-landing}}]`",
                    config::kFileName)};
  TRY(auto read, ReadConfig(*root));
  if (!read)
    return Error{Exit::Usage, fmt::format("{}/{} cannot be read", *root, config::kFileName), ""};
  return ConfigFolder{*root, std::move(*read)};
}

Result<Done> RefuseOutside(const std::string& root, const list::ListConfig& list) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path top(root);
  while (!fs::exists(top / ".git", error) && top != top.root_path()) top = top.parent_path();
  return config::RefuseOutside(root, list.path,
                               top == top.root_path() ? root : top.generic_string());
}

Result<list::RevisionList> ReadList(const ListSource& source) {
  if (!source.root.empty()) {
    TRY(RefuseOutside(source.root, source.config));
  }
  TRY(auto text, config::ReadFile(source.file, config::kMaxListBytes));
  if (!text.has_value())
    return Error{Exit::Usage, source.config.path + ": there is no such file",
                 "correct `path` in .revctl.yaml"};
  auto parsed = list::Parse(*text, source.config, source.config.path);
  if (!parsed.ok() || source.config.numbers == list::Numbers::AtReserve) return parsed;
  TRY(auto files, pending::ReadFolder(source.root + "/" + pending::Folder(source.config),
                                      pending::Folder(source.config)));
  return pending::Folded(*parsed, source.config, pending::MakePlan(*parsed, source.config, files));
}

std::vector<cli::Option> WithListSource(std::vector<cli::Option> options) {
  options.push_back(
      {"--file", "LIST.h", "use this list, even if no .revctl.yaml names it", cli::Hint::File});
  options.push_back(
      {"--prefix", "PREFIX", "with --file: prefix for revision names (default: SR_)"});
  options.push_back({"--enum", "NAME", "with --file: name of the enum"});
  return options;
}

}  // namespace revctl::commands
