#include "revctl/git/pipes.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::git {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kAttributes = ".gitattributes", kIgnore = ".gitignore";
constexpr std::size_t kMostOfLink = std::size_t{1} << 14;
constexpr std::size_t kMostOfConfig = std::size_t{1} << 20, kMostConfigs = 100;

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

enum class Devices { Count, PassOver };

/// A link counts as what it leads to: git follows some. Of a device such as /dev/null git reads
/// nothing as configuration, and goes on.
std::optional<Error> CheckPipe(const fs::path& path, Devices devices) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  const bool device = type == fs::file_type::character || type == fs::file_type::block;
  if (type == fs::file_type::fifo || type == fs::file_type::socket ||
      (device && devices == Devices::Count))
    return Waits(path);
  return std::nullopt;
}

struct Folders {
  fs::path own, common;  ///< of a linked work tree they differ
};

/// Of the repository around `directory`; empty: none is found. A pipe among what leads there is
/// told.
std::variant<Folders, Error> FindFolders(const std::string& directory) {
  std::error_code error;
  const char* const named = std::getenv("GIT_DIR");
  fs::path git = named == nullptr ? "" : fs::path(directory) / named;
  for (fs::path at = fs::absolute(directory, error); git.empty(); at = at.parent_path()) {
    if (fs::exists(at / "HEAD", error)) git = at;
    const fs::path inside = at / ".git";
    if (auto found = CheckPipe(inside, Devices::PassOver)) return *std::move(found);
    if (fs::is_directory(inside, error)) git = inside;
    if (const auto link = base::ReadFile(inside.string(), kMostOfLink); link.ok() && *link)
      git = at / FirstWord(**link, "gitdir: ");
    if (at == at.root_path() || at.empty()) break;
  }
  if (git.empty()) return Folders();
  if (auto found = CheckPipe(git / "commondir", Devices::PassOver)) return *std::move(found);
  const auto common = base::ReadFile((git / "commondir").string(), kMostOfLink);
  return Folders{git, !common.ok() || !*common ? git : git / FirstWord(**common, "")};
}

/// Files that `config` names: attributes, patterns, a mailmap, and configuration that it includes,
/// for which the second is true. Sections and conditions are not read: one file too many is only
/// looked at.
std::vector<std::pair<fs::path, bool>> NamedIn(const fs::path& config, const fs::path& home) {
  std::vector<std::pair<fs::path, bool>> out;
  const auto text = base::ReadFile(config.string(), kMostOfConfig);
  if (!text.ok() || !*text) return out;
  std::istringstream lines(**text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos) continue;
    std::string key = line.substr(0, equals), value = line.substr(equals + 1);
    const auto outside = [](char c) { return c == '"' || base::IsBlank(c); };
    std::erase_if(key, outside);
    key.erase(0, key.rfind(']') + 1);
    key = base::Lower(key);
    if (key != "path" && key != "attributesfile" && key != "excludesfile" && key != "file")
      continue;
    while (!value.empty() && outside(value.back())) value.pop_back();
    while (!value.empty() && outside(value.front())) value.erase(0, 1);
    const bool at_home = value.starts_with("~/");
    out.emplace_back(at_home ? home / value.substr(2) : config.parent_path() / value,
                     key == "path");
  }
  return out;
}

}  // namespace

std::optional<Error> PipeOnTheWay(const std::string& root, const std::string& common_dir,
                                  const std::string& path, ReadByName which) {
  const bool attributes = which == ReadByName::Attributes;
  const std::string_view name = attributes ? kAttributes : kIgnore;
  if (auto found = CheckPipe(
          fs::path(common_dir) / (attributes ? "info/attributes" : "info/exclude"), Devices::Count))
    return found;
  if (auto found = CheckPipe(fs::path(root) / name, Devices::Count)) return found;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    if (auto found = CheckPipe(fs::path(root) / path.substr(0, at) / name, Devices::Count))
      return found;
  }
  return std::nullopt;
}

std::optional<Error> PipeIn(const std::string& root, const std::string& common_dir) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(common_dir + "/info", error)) {
    if (auto found = CheckPipe(entry.path(), Devices::Count)) return found;
  }
  fs::recursive_directory_iterator all(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && all != fs::recursive_directory_iterator(); all.increment(error)) {
    const std::string name = all->path().filename().string();
    if (name == ".git") {
      all.disable_recursion_pending();
    } else if (name == kAttributes || name == kIgnore || name == ".mailmap") {
      if (auto found = CheckPipe(all->path(), Devices::Count)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Error> PipeBeforeOpening(const std::string& directory) {
  const auto variable = [](const char* name) -> fs::path {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  const fs::path home = variable("HOME"), global = variable("GIT_CONFIG_GLOBAL");
  fs::path xdg = variable("XDG_CONFIG_HOME");
  if (xdg.empty()) xdg = home / ".config";
  std::vector<fs::path> configs = {variable("GIT_CONFIG_SYSTEM"), global};
  if (global.empty()) configs = {configs[0], home / ".gitconfig", xdg / "git/config"};
  std::vector<fs::path> files = {xdg / "git/attributes", xdg / "git/ignore"};
  const auto folders = FindFolders(directory);
  if (const auto* pipe = std::get_if<Error>(&folders)) return *pipe;
  if (const auto& [own, common] = std::get<Folders>(folders); !own.empty()) {
    configs.push_back((common / "config").lexically_normal());
    configs.push_back(own / "config.worktree");
    for (const char* name : {"HEAD", "index", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"})
      files.push_back(own / name);
    for (const char* name : {"packed-refs", "shallow", "objects/info/alternates"})
      files.push_back(common / name);
    // What a folder says of its entries is enough: a link is a name to git.
    std::error_code error;
    fs::recursive_directory_iterator refs(common / "refs", error);
    for (; !error && refs != fs::recursive_directory_iterator(); refs.increment(error)) {
      std::error_code unknown;
      if (refs->symlink_status(unknown).type() == fs::file_type::fifo) return Waits(refs->path());
    }
  }
  std::set<fs::path> seen;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const fs::path config = configs[i];
    if (config.empty() || !seen.insert(config).second) continue;
    if (auto found = CheckPipe(config, Devices::PassOver)) return found;
    for (auto& [file, included] : NamedIn(config, home))
      (included && configs.size() < kMostConfigs ? configs : files).push_back(std::move(file));
  }
  for (const fs::path& file : files) {
    if (auto found = CheckPipe(file, Devices::PassOver)) return found;
  }
  return std::nullopt;
}

}  // namespace revctl::git
