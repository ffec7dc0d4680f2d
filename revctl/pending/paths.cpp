#include "revctl/pending/paths.h"

#include <fmt/core.h>

namespace revctl::pending {

std::string Stem(const list::ListConfig& list) {
  const std::size_t folder = list.path.rfind('/');
  const std::size_t begin = folder == std::string::npos ? 0 : folder + 1;
  const std::size_t dot = list.path.rfind('.');
  return dot == std::string::npos || dot <= begin ? list.path : list.path.substr(0, dot);
}

std::string Folder(const list::ListConfig& list) { return Stem(list) + ".pending"; }

std::string FilePath(const list::ListConfig& list, std::string_view name) {
  return fmt::format("{}/{}.yaml", Folder(list), name);
}

std::string IncludePath(const list::ListConfig& list) { return Stem(list) + ".pending.inc"; }

std::string KeepText() {
  return "# Keeps this folder in git when its last pending revision is folded (revctl fold).\n"
         "*.tmp\n";
}

bool IsIgnoredFile(std::string_view file_name) {
  return file_name.starts_with('.') || file_name.ends_with(".tmp") || file_name.ends_with('~');
}

std::string NameOfFile(std::string_view file_name) {
  constexpr std::string_view kEnd = ".yaml";
  return file_name.ends_with(kEnd)
             ? std::string(file_name.substr(0, file_name.size() - kEnd.size()))
             : std::string();
}

}  // namespace revctl::pending
