#include "revctl/git/pipes.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "revctl/base/shell_word.h"

namespace revctl::git {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Exit;

constexpr std::string_view kAttributes = ".gitattributes";

/// A link counts as what it leads to: git follows some.
std::optional<Error> Judge(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const fs::file_type type = status.type();
  if (type != fs::file_type::fifo && type != fs::file_type::character &&
      type != fs::file_type::block && type != fs::file_type::socket)
    return std::nullopt;
  return Error{Exit::Environment,
               path.string() + ": is a pipe or a device, no file, and git would wait for it",
               "rm " + base::ShellPath(path.string()) + ", and put the file itself there"};
}

}  // namespace

std::optional<Error> PipeOnTheWay(const std::string& root, const std::string& common_dir,
                                  const std::string& path) {
  if (auto found = Judge(fs::path(common_dir) / "info/attributes")) return found;
  if (auto found = Judge(fs::path(root) / kAttributes)) return found;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    if (auto found = Judge(fs::path(root) / path.substr(0, at) / kAttributes)) return found;
  }
  return std::nullopt;
}

std::optional<Error> PipeIn(const std::string& root, const std::string& common_dir) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(common_dir + "/info", error)) {
    if (auto found = Judge(entry.path())) return found;
  }
  fs::recursive_directory_iterator all(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && all != fs::recursive_directory_iterator(); all.increment(error)) {
    const std::string name = all->path().filename().string();
    if (name == ".git") {
      all.disable_recursion_pending();
    } else if (name == kAttributes || name == ".gitignore" || name == ".mailmap") {
      if (auto found = Judge(all->path())) return found;
    }
  }
  return std::nullopt;
}

}  // namespace revctl::git
