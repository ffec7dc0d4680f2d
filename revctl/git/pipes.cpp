#include "revctl/git/pipes.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::git {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Exit;

constexpr std::string_view kAttributes = ".gitattributes", kIgnore = ".gitignore";
constexpr std::size_t kMostOfLink = std::size_t{1} << 14;

/// The line behind `key`, with which the file begins; empty where it does not.
std::string FirstWord(std::string_view text, std::string_view key) {
  if (!text.starts_with(key)) return "";
  text.remove_prefix(key.size());
  return std::string(text.substr(0, text.find_first_of("\r\n")));
}

Error Waits(const fs::path& path) {
  return {Exit::Environment,
          path.string() + ": is a pipe or a device, no file, and git would wait for it",
          "rm " + base::ShellPath(path.string()) + ", and put the file itself there"};
}

/// A link counts as what it leads to: git follows some.
std::optional<Error> Judge(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::fifo && type != fs::file_type::character &&
      type != fs::file_type::block && type != fs::file_type::socket)
    return std::nullopt;
  return Waits(path);
}

/// The folder with the configuration of the repository around `directory`; empty: none is found.
fs::path FolderOfConfig(const std::string& directory) {
  std::error_code error;
  const char* const named = std::getenv("GIT_DIR");
  fs::path git = named == nullptr ? "" : fs::path(directory) / named;
  for (fs::path at = fs::absolute(directory, error); git.empty(); at = at.parent_path()) {
    if (fs::exists(at / "HEAD", error)) git = at;
    const fs::path inside = at / ".git";
    if (fs::is_directory(inside, error)) git = inside;
    if (const auto link = base::ReadFile(inside.string(), kMostOfLink); link.ok() && *link)
      git = at / FirstWord(**link, "gitdir: ");
    if (at == at.root_path() || at.empty()) break;
  }
  const auto common = base::ReadFile((git / "commondir").string(), kMostOfLink);
  return git.empty() || !common.ok() || !*common ? git : git / FirstWord(**common, "");
}

}  // namespace

std::optional<Error> PipeOnTheWay(const std::string& root, const std::string& common_dir,
                                  const std::string& path, ReadByName which) {
  const bool attributes = which == ReadByName::Attributes;
  const std::string_view name = attributes ? kAttributes : kIgnore;
  if (auto found = Judge(fs::path(common_dir) / (attributes ? "info/attributes" : "info/exclude")))
    return found;
  if (auto found = Judge(fs::path(root) / name)) return found;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    if (auto found = Judge(fs::path(root) / path.substr(0, at) / name)) return found;
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
    } else if (name == kAttributes || name == kIgnore || name == ".mailmap") {
      if (auto found = Judge(all->path())) return found;
    }
  }
  return std::nullopt;
}

std::optional<Error> PipeAsConfig(const std::string& directory) {
  const auto variable = [](const char* name) -> fs::path {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  const fs::path home = variable("HOME"), global = variable("GIT_CONFIG_GLOBAL");
  fs::path xdg = variable("XDG_CONFIG_HOME");
  if (xdg.empty()) xdg = home / ".config";
  std::vector<fs::path> files;
  if (global.empty()) {
    files = {home / ".gitconfig", xdg / "git/config"};
  } else {
    files = {global};
  }
  if (const fs::path git = FolderOfConfig(directory); !git.empty())
    files.push_back((git / "config").lexically_normal());
  for (const fs::path& file : files) {
    std::error_code error;
    // A device such as /dev/null stands for no file here, and git reads it to its end.
    if (fs::is_fifo(file, error) || fs::is_socket(file, error)) return Waits(file);
  }
  return std::nullopt;
}

}  // namespace revctl::git
