#include "revctl/pending/folder.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/pending/paths.h"
#include "revctl/pending/pending_file.h"

namespace revctl::pending {

Error TooMany(const std::string& shown) {
  return {Exit::Usage, fmt::format("{}: more than {} pending revisions", shown, kMostFiles),
          "revctl fold on the target branch gives them their numbers"};
}

Result<std::vector<PendingText>> ReadFolder(const std::string& folder, const std::string& shown) {
  namespace fs = std::filesystem;
  std::vector<PendingText> out;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status)) return out;
  if (!fs::is_directory(status))
    return Error{Exit::Usage, shown + ": is no folder, and pending revisions belong there",
                 "rm -f " + base::ShellPath(shown)};
  fs::directory_iterator files(folder, error);
  for (; !error && files != fs::directory_iterator(); files.increment(error)) {
    const std::string name = files->path().filename().string();
    if (IsIgnoredFile(name)) continue;
    if (out.size() == kMostFiles) return TooMany(shown);
    PendingText& file = out.emplace_back();
    file.file_name = name;
    const fs::file_status one = files->symlink_status(error);
    if (!fs::is_regular_file(one)) {
      file.unreadable = fs::is_symlink(one) ? "is a symbolic link" : "is no regular file";
      continue;
    }
    auto text = config::ReadFile(files->path().string(), kMaxFileBytes);
    if (!text.ok()) file.unreadable = "cannot be read: " + text.error().message;
    else file.text = text->value_or("");
  }
  if (error)
    return Error{Exit::Environment, fmt::format("{}: cannot be read: {}", shown, error.message()),
                 ""};
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.file_name < b.file_name; });
  return out;
}

Result<bool> WriteIfChanged(const std::string& path, const std::string& shown,
                            const std::string& text) {
  TRY(config::RefuseLink(path, shown));
  auto before = config::ReadFile(path, config::kMaxListBytes);
  if (before.ok() && before->has_value() && **before == text) return false;
  TRY(config::ReplaceFile(path, text));
  return true;
}

}  // namespace revctl::pending
