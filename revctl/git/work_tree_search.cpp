// Implements FilesHolding().
#include <algorithm>
#include <cerrno>

#include "revctl/base/file.h"
#include "revctl/base/system/files.h"
#include "revctl/git/index.h"

namespace revctl::git {
namespace {

/// git treats a file with a NUL in its first 8000 bytes as binary.
constexpr std::size_t kHead = 8000;
constexpr std::size_t kBlock = std::size_t{1} << 16;

/// Returns an error unless the file is missing or this user may not read it, because git skips such
/// files. If other failures were ignored, files would be silently missing from the result.
std::optional<Error> Refused(const std::string& path, int error) {
  if (error == 0 || error == EACCES || error == EPERM || error == ENOENT) return std::nullopt;
  return Error{Exit::Environment, path + ": cannot be read: " + base::ErrorWords(error),
               base::SystemFix(error, path)};
}

/// True if the file contains one of `texts`. Reads in blocks, because a work tree may contain files
/// of any size.
Result<bool> Holds(const std::string& path, const std::vector<std::string>& texts) {
  const base::Descriptor file = base::OpenToRead(path);
  if (!file.IsOpen()) {
    if (auto refused = Refused(path, errno)) return *std::move(refused);
    return false;
  }
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string seen;
  for (bool first = true;; first = false) {
    const auto block = base::ReadUpTo(file.get(), kBlock);
    if (!block) return base::InMessage(base::SystemError(path, "cannot be read"));
    if (first && block->find('\0') < kHead) return false;
    seen += *block;
    for (const std::string& text : texts) {
      if (seen.find(text) != seen.npos) return true;
    }
    if (block->size() < kBlock) return false;
    seen.erase(0, seen.size() - std::min(seen.size(), longest - 1));
  }
}

class Search {
 public:
  Search(const Repository& repository, const std::vector<std::string>& texts,
         const std::function<bool(const std::string& path)>& wanted)
      : repository_(repository), texts_(texts), wanted_(wanted) {}

  /// Searches a folder and its subfolders. Returns false if git must search instead.
  Result<bool> Folder(const std::string& folder) {
    const std::string here = repository_.root() + "/" + folder;
    const auto entries = base::ListFolder(here);
    if (!entries) {
      if (auto refused = Refused(here, errno)) return *std::move(refused);
      return true;
    }
    for (const auto& [name, kind] : *entries) {
      const std::string path = folder + name, full = here + name;
      const bool is_folder = kind == base::PathKind::Folder;
      // Skip nested repositories.
      if (name == ".git" || (is_folder && base::KindAt(full + "/.git") != base::PathKind::None))
        continue;
      if (!is_folder) {
        if (kind != base::PathKind::File || !wanted_(path)) continue;
        TRY(const bool holds, Holds(full, texts_));
        if (!holds) continue;
      }
      TRY(const auto ignored, repository_.IsIgnored(path));
      if (!ignored) return false;
      if (*ignored) continue;
      if (!is_folder) {
        found.push_back(path);
        continue;
      }
      TRY(const bool known, Folder(path + "/"));
      if (!known) return false;
    }
    return true;
  }

  std::vector<std::string> found;

 private:
  const Repository& repository_;
  const std::vector<std::string>& texts_;
  const std::function<bool(const std::string& path)>& wanted_;
};

}  // namespace

Result<std::optional<std::vector<std::string>>> FilesHolding(
    const Repository& repository, const std::vector<std::string>& texts,
    const std::function<bool(const std::string& path)>& wanted) {
  using Found = std::optional<std::vector<std::string>>;
  Search search(repository, texts, wanted);
  TRY(const bool known, search.Folder(""));
  if (!known) return Found();
  std::sort(search.found.begin(), search.found.end());
  return Found(std::move(search.found));
}

}  // namespace revctl::git
