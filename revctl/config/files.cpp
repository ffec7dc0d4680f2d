#include "revctl/config/files.h"

#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"

namespace revctl::config {

using base::Done;
using base::Result;

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  auto text = base::ReadFile(path, limit);
  if (!text.ok()) return base::InMessage(std::move(text).error());
  return text;
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode) {
  auto replaced = base::ReplaceFile(path, bytes, mode);
  if (!replaced.ok()) return base::InMessage(std::move(replaced).error());
  return replaced;
}

Result<Done> RefuseLink(const std::string& path, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return Done{};
  return base::Error{base::Exit::Usage, name + ": is a symbolic link",
                     "put the file itself there, or git checkout -- " + name};
}

}  // namespace revctl::config
