#include "revctl/tree/file_tree.h"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/config/files.h"
#include "revctl/git/work_tree_search.h"

namespace revctl::commands {

Result<std::optional<git::Oid>> FileTree::Head() const {
  if (IsCommit()) return std::optional<git::Oid>(place_.commit);
  return repository_->Head();
}

Result<std::optional<std::string>> FileTree::Read(const std::string& path) const {
  if (IsCommit()) return repository_->ReadFile(place_.commit, path);
  if (IsStaged()) return repository_->ReadStaged(path);
  const std::string absolute = repository_->root() + "/" + path;
  std::error_code error;
  if (std::filesystem::is_symlink(absolute, error))
    return base::FileError(path, 0, "is a symbolic link, not a file");
  if (!base::ResolvedPath(absolute).starts_with(base::ResolvedPath(repository_->root()) + "/")) {
    return base::FileError(path, 0, "leads out of the repository", "mend `path` in .revctl.yaml");
  }
  auto text = config::ReadFile(absolute, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value())
    return repository_->OutsideSparseCheckout(path) ? repository_->ReadStaged(path) : text;
  TRY(auto normalized, repository_->Normalized(path, **text));
  return std::optional<std::string>(std::move(normalized));
}

Result<bool> FileTree::Exists(const std::string& path) const {
  if (IsWorkTree()) {
    std::error_code error;
    return std::filesystem::is_regular_file(repository_->root() + "/" + path, error);
  }
  TRY(auto text, Read(path));
  return text.has_value();
}

Result<std::optional<std::uint64_t>> FileTree::Size(const std::string& path) const {
  if (IsCommit()) return repository_->SizeOf(place_.commit, path);
  if (IsStaged()) {
    TRY(const auto text, repository_->ReadStaged(path));
    return text ? std::optional<std::uint64_t>(text->size()) : std::nullopt;
  }
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(repository_->root() + "/" + path, error);
  return error ? std::nullopt : std::optional(size);
}

Result<std::vector<std::string>> FileTree::FilesIn(const std::string& folder) const {
  if (!IsCommit()) return base::ListFiles(repository_->root() + "/" + folder);
  TRY(auto files, repository_->ListFiles(place_.commit, folder));
  std::vector<std::string> out;
  for (git::TreeFile& file : files) {
    if (file.path.find('/') == std::string::npos) out.push_back(std::move(file.path));
  }
  return out;
}

Result<std::vector<std::string>> FileTree::ChangedSince(const git::Oid& from,
                                                        const std::string& folder) const {
  TRY(auto changes, git::ChangesSince(*repository_, place_, from, folder));
  std::vector<std::string> out;
  for (git::FileChange& change : changes) {
    if (IsWorkTree() && change.status == 'M') {
      // An 'M' may only mean that the modification time changed, so compare the contents.
      auto before = repository_->ReadFile(from, change.path);
      auto now = Read(change.path);
      if (before.ok() && now.ok() && *before == *now) continue;
    }
    out.push_back(std::move(change.path));
  }
  return out;
}

Result<std::vector<std::string>> FileTree::LinesWith(const std::vector<std::string>& names) const {
  return git::LinesWithWords(*repository_, place_, names);
}

Result<std::vector<std::string>> FileTree::SourcesWith(
    const std::vector<std::string>& texts) const {
  if (IsWorkTree()) {
    TRY(auto found, git::FilesHolding(*repository_, texts, IsSource));
    if (found) return std::move(*found);
  }
  TRY(auto out, git::FilesWithAny(*repository_, place_, texts));
  std::erase_if(out, [](const std::string& path) { return !IsSource(path); });
  return out;
}

Result<std::optional<std::string>> FileTree::ReadSource(const std::string& path) const {
  if (IsWorkTree())
    return config::ReadFile(repository_->root() + "/" + path, config::kMaxListBytes);
  return Read(path);
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
