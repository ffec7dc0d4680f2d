#include "revctl/tree/tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/pending/pending_file.h"

namespace revctl::commands {

struct Tree::ConfigCache {
  std::string text;  ///< the text that `config` was parsed from
  std::optional<config::Config> config;
};

Tree::Tree(const git::Repository& repository, git::Place place, std::string folder)
    : repository_(&repository),
      place_(std::move(place)),
      folder_(std::move(folder)),
      configs_(std::make_shared<ConfigCache>()) {}

Tree Tree::At(git::Oid commit) const {
  Tree out = *this;
  out.place_ = {Kind::Commit, std::move(commit)};
  return out;
}

Result<std::optional<git::Oid>> Tree::Head() const {
  if (IsCommit()) return std::optional<git::Oid>(place_.commit);
  return repository_->Head();
}

Result<std::optional<std::string>> Tree::Read(const std::string& path) const {
  if (IsCommit()) return repository_->ReadFile(place_.commit, path);
  if (IsStaged()) return repository_->ReadStaged(path);
  const std::string absolute = repository_->root() + "/" + path;
  if (base::KindAt(absolute) == base::PathKind::Link)
    return base::FileError(path, 0, "is a symbolic link, not a file");
  if (!base::ResolvedPath(absolute).starts_with(base::ResolvedPath(repository_->root()) + "/")) {
    return base::FileError(path, 0, "points outside the repository",
                           "correct `path` in .revctl.yaml");
  }
  auto text = config::ReadFile(absolute, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value())
    return repository_->OutsideSparseCheckout(path) ? repository_->ReadStaged(path) : text;
  TRY(auto normalized, repository_->Normalized(path, **text));
  return std::optional<std::string>(std::move(normalized));
}

Result<bool> Tree::Exists(const std::string& path) const {
  if (IsWorkTree()) {
    std::error_code error;
    return std::filesystem::is_regular_file(repository_->root() + "/" + path, error);
  }
  TRY(auto text, Read(path));
  return text.has_value();
}

Result<std::optional<std::uint64_t>> Tree::Size(const std::string& path) const {
  if (IsCommit()) return repository_->SizeOf(place_.commit, path);
  if (IsStaged()) {
    TRY(const auto text, repository_->ReadStaged(path));
    return text ? std::optional<std::uint64_t>(text->size()) : std::nullopt;
  }
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(repository_->root() + "/" + path, error);
  return error ? std::nullopt : std::optional(size);
}

Result<std::vector<std::string>> Tree::Files(const std::string& folder) const {
  if (!IsCommit()) return base::ListFiles(repository_->root() + "/" + folder);
  TRY(auto files, repository_->ListFiles(place_.commit, folder));
  std::vector<std::string> out;
  for (git::TreeFile& file : files) {
    if (file.path.find('/') == std::string::npos) out.push_back(std::move(file.path));
  }
  return out;
}

Result<std::vector<std::string>> Tree::GoldenFiles(const std::string& folder) const {
  std::vector<std::string> out;
  if (IsCommit()) {
    TRY(auto files, repository_->ListFiles(place_.commit, folder));
    for (git::TreeFile& file : files) out.push_back(std::move(file.path));
    return out;
  }
  const std::string path = repository_->root() + "/" + folder;
  TRY(const auto entries, base::ListEntries(path));
  for (const base::FolderEntry& entry : entries) {
    if (entry.other.empty()) out.push_back(entry.name);
    if (entry.other != base::kFolder) continue;
    TRY(const auto inside, base::ListFiles(path + "/" + entry.name));
    for (const std::string& name : inside) out.push_back(entry.name + "/" + name);
  }
  return out;
}

Result<std::vector<std::string>> Tree::ChangedSince(const git::Oid& from,
                                                    const std::string& folder) const {
  TRY(auto changes, git::ChangesSince(*repository_, place_, from, folder));
  std::vector<std::string> out;
  for (git::FileChange& change : changes) {
    if (IsWorkTree() && change.status == 'M') {
      // A file with status 'M' may differ only in its modification time, so compare the contents.
      auto before = repository_->ReadFile(from, change.path);
      auto now = Read(change.path);
      if (before.ok() && now.ok() && *before == *now) continue;
    }
    out.push_back(std::move(change.path));
  }
  return out;
}

Result<std::vector<std::string>> Tree::LinesWith(const std::vector<std::string>& names) const {
  return git::LinesWithWords(*repository_, place_, names);
}

Result<std::vector<std::string>> Tree::SourcesWith(const std::vector<std::string>& texts) const {
  if (IsWorkTree()) {
    TRY(auto found, git::FilesHolding(*repository_, texts, IsSource));
    if (found) return std::move(*found);
  }
  TRY(auto out, git::FilesWithAny(*repository_, place_, texts));
  std::erase_if(out, [](const std::string& path) { return !IsSource(path); });
  return out;
}

Result<std::optional<std::string>> Tree::ReadSource(const std::string& path) const {
  if (IsWorkTree())
    return config::ReadFile(repository_->root() + "/" + path, config::kMaxListBytes);
  return Read(path);
}

Result<std::optional<config::Config>> Tree::Config() const {
  const std::string path = folder_ + std::string(config::kFileName);
  TRY(auto text, Read(path));
  if (!text) return std::optional<config::Config>();
  if (configs_->config && configs_->text == *text) return configs_->config;
  TRY(configs_->config,
      config::ParseConfig(*text, (IsCommit() ? place_.commit.substr(0, 10) + ":" : "") + path));
  configs_->text = std::move(*text);
  return configs_->config;
}

bool ListThere::IsList(const std::string& text, const list::ListConfig& config) {
  const auto parsed = list::Parse(text, config, config.path);
  return parsed.ok() && !parsed->Revisions().empty();
}

Result<ListThere> Tree::List(const list::ListConfig& list) const {
  const auto config = Config();
  const auto* named = config.ok() && *config ? (**config).ListNamed(list.name) : nullptr;
  ListThere out{named == nullptr ? list : *named, std::nullopt, named != nullptr};
  TRY(out.text, Read(folder_ + out.config.path));
  if (!out.text && !config.ok()) return config.error();
  return out;
}

Result<std::optional<list::RevisionList>> Tree::Parsed(const list::ListConfig& list) const {
  TRY(const auto there, List(list));
  if (!there.HasList()) return std::optional<list::RevisionList>();
  TRY(auto parsed,
      list::Parse(*there.text, list,
                  (IsCommit() ? place_.commit.substr(0, 10) + ":" : "") + there.config.path));
  return std::optional<list::RevisionList>(std::move(parsed));
}

namespace {

/// Converts the result of reading a file to a PendingText. Marks a symbolic link as unreadable.
Result<pending::PendingText> TextOf(const std::string& name,
                                    const Result<std::optional<std::string>>& text) {
  pending::PendingText out{name, "", ""};
  if (!text.ok() && text.error().exit == Exit::Environment) return text.error();
  if (!text.ok()) out.unreadable = "is a symbolic link";
  else if (!*text) out.unreadable = "is not a regular file";
  else if ((*text)->size() > pending::kMaxFileBytes) out.unreadable = "is too large";
  else out.text = **text;
  return out;
}

/// Reads the pending files at `names`, which are sorted paths relative to the folder. A subfolder
/// and all its files become a single unreadable item.
Result<std::vector<pending::PendingText>> Collect(
    const std::vector<std::string>& names, const std::string& place,
    const std::function<Result<std::optional<std::string>>(const std::string&)>& read) {
  std::vector<pending::PendingText> out;
  for (const std::string& name : names) {
    const std::string file = name.substr(0, name.find('/'));
    if (file.empty() || pending::IsIgnoredFile(file)) continue;
    if (!out.empty() && out.back().file_name == file) continue;
    if (out.size() == pending::kMostFiles) return pending::TooMany(place);
    TRY(auto one, TextOf(file, file == name ? read(place + "/" + name)
                                            : Result<std::optional<std::string>>(std::nullopt)));
    out.push_back(std::move(one));
  }
  return out;
}

constexpr std::uint32_t kFolder = 0040000, kSubmodule = 0160000;

base::Error NoFolder(const std::string& folder, bool submodule, std::string fix) {
  return {Exit::Usage,
          fmt::format("{}: is {}, but must be a folder for pending revisions", folder,
                      submodule ? "a submodule" : "not a folder"),
          std::move(fix)};
}

std::string TakeOut(const std::string& folder, bool submodule) {
  return fmt::format("git rm -f {}{}", submodule ? "--cached " : "", base::ShellPath(folder));
}

}  // namespace

Result<std::vector<pending::PendingText>> Tree::Pending(const list::ListConfig& list) const {
  if (list.numbers != list::Numbers::AtLanding) return std::vector<pending::PendingText>();
  const std::string place = folder_ + pending::Folder(list);
  if (IsWorkTree()) return pending::ReadFolder(repository_->root() + "/" + place, place);
  std::vector<std::string> names;
  if (IsCommit()) {
    TRY(const auto files, repository_->ListFiles(place_.commit, place));
    for (const git::TreeFile& file : files) names.push_back(file.path);
  } else {
    TRY(const auto tracked, git::TrackedFiles(*repository_, place));
    for (const std::string& path : tracked)
      names.push_back(path.substr(std::min(place.size() + 1, path.size())));
  }
  return Collect(names, place, [&](const std::string& path) { return Read(path); });
}

Result<Done> Tree::CheckPendingFolder(const list::ListConfig& list) const {
  const std::string folder = folder_ + pending::Folder(list);
  if (IsCommit()) {
    TRY(const auto mode, repository_->ModeOf(place_.commit, folder));
    if (!mode || *mode == kFolder) return Done{};
    const bool submodule = *mode == kSubmodule;
    return NoFolder(folder, submodule, TakeOut(folder, submodule));
  }
  const base::PathKind kind = base::KindAt(repository_->root() + "/" + folder);
  const bool other = kind != base::PathKind::None && kind != base::PathKind::Folder;
  if (IsWorkTree() && !other) return Done{};
  TRY(const auto entries, git::IndexEntries(*repository_, git::Entries::All, folder));
  for (const git::IndexEntry& entry : entries) {
    const bool submodule = entry.mode == kSubmodule;
    if (entry.path == folder) return NoFolder(folder, submodule, TakeOut(folder, submodule));
  }
  if (!IsWorkTree()) return Done{};
  const std::string path = base::ShellPath(folder);
  return NoFolder(folder, false,
                  "rm -f " + path + (!entries.empty() ? " && git checkout -- " + path : ""));
}

Result<list::RevisionList> Tree::WithPending(const list::ListConfig& config,
                                             const list::RevisionList& list) const {
  TRY(auto files, Pending(config));
  return pending::Folded(list, config, pending::MakePlan(list, config, files));
}

std::optional<CodeLine> ParseCodeLine(const std::string& line) {
  for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
    const std::size_t end = line.find(':', at + 1);
    if (end == std::string::npos) return std::nullopt;
    const std::string number = line.substr(at + 1, end - at - 1);
    if (number.size() < 9 && base::IsNumber(number)) {
      return CodeLine{line.substr(0, at), line.substr(end + 1), std::atoi(number.c_str())};
    }
  }
  return std::nullopt;
}

bool IsSource(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  static const std::set<std::string> kEnds = {"c",   "cc",  "cpp", "cxx", "h",   "hh", "hpp",
                                              "hxx", "inl", "inc", "ipp", "tpp", "m",  "mm"};
  return kEnds.contains(path.substr(dot + 1));
}

bool HoldsWord(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos;
       at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !base::IsWord(code[at - 1])) &&
        (end == code.size() || !base::IsWord(code[end])))
      return true;
  }
  return false;
}

}  // namespace revctl::commands
