#include "revctl/base/temporary_file.h"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"

namespace revctl::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStem = "revctl-tmp-";

/// Returns the .git folder of the work tree that contains `folder`, or "" if there is none.
std::string GitFolder(const std::string& folder) {
  std::error_code error;
  for (fs::path at(folder); !at.empty(); at = at.parent_path()) {
    const fs::path git = at / ".git";
    if (fs::is_directory(git, error)) return git.generic_string();
    if (fs::is_regular_file(git, error)) {
      constexpr std::string_view kWord = "gitdir: ";
      const auto text = ReadFile(git.generic_string(), std::size_t{1} << 14);
      if (!text.ok() || !*text || !(**text).starts_with(kWord)) return "";
      const std::string named = (**text).substr(kWord.size(), (**text).find('\n') - kWord.size());
      return (at / named).generic_string();
    }
    if (at == at.root_path()) break;
  }
  return "";
}

bool IsMadeFrom(std::string_view name, std::string_view stem) {
  return name.size() == stem.size() + kRandomLetters && name.starts_with(stem);
}

}  // namespace

std::optional<TemporaryFile> TemporaryFile::Make(const std::string& stem) {
  const std::string folder = FolderOf(stem), begin = fs::path(stem).filename().generic_string();
  if (const auto listed = ListFolder(folder)) {
    for (const ListedEntry& entry : *listed) {
      if (IsMadeFrom(entry.name, begin)) RemoveUnheld(folder + "/" + entry.name);
    }
  }
  std::string path;
  Descriptor file = CreateHeld(stem, path);
  if (!file.IsOpen()) return std::nullopt;
  return TemporaryFile(std::move(file), std::move(path));
}

Result<TemporaryFile> TemporaryFile::For(const std::string& path) {
  const std::string git = GitFolder(FolderOf(path));
  if (!git.empty() && OnOneDisk(git, FolderOf(path))) {
    if (auto made = Make(git + "/" + std::string(kStem))) return std::move(*made);
  }
  return Beside(path);
}

Result<TemporaryFile> TemporaryFile::Beside(const std::string& path) {
  const std::string folder = FolderOf(path);
  auto made =
      Make(folder + "/." + fs::path(path).filename().generic_string() + "." + std::string(kStem));
  if (made) return std::move(*made);
  const int why = errno;
  return Error{Exit::Environment, path + ": cannot create a file next to it: " + ErrorWords(why),
               why == ENOENT ? "mkdir -p " + ShellPath(folder) : SystemFix(why, path)};
}

TemporaryFile::~TemporaryFile() {
  // Remove the file while it is still locked, so that no other process can have reused its name.
  if (!path_.empty()) (void)Remove(path_);
}

bool TemporaryFile::TakePlaceOf(const std::string& path) {
  if (!MoveHeldOver(file_, path_, path)) return false;
  path_.clear();
  return true;
}

Result<ScratchFolder> ScratchFolder::Make() {
  std::error_code error;
  std::string path;
  if (!CreateFolder((fs::temp_directory_path(error) / "revctl-").generic_string(), path)) {
    return Error{Exit::Environment, path + " cannot be created: " + ErrorWords(errno),
                 "set TMPDIR to a writable folder"};
  }
  return ScratchFolder(std::move(path));
}

}  // namespace revctl::base
