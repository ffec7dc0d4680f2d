// Checks strings from a config, a ledger or the command line before they are passed to git or used
// in a file name.
#include "revctl/config/config.h"

#include <algorithm>

#include "revctl/base/ascii.h"

namespace revctl::config {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// True if some system resolves `name` to a different folder or to git's own folder. Windows
/// ignores case and trailing dots and blanks, and its short name for `.git` may be `git~1`.
bool LeadsElsewhere(std::string_view name) {
  while (!name.empty() && (name.back() == '.' || name.back() == ' ')) name.remove_suffix(1);
  const std::string lower = base::Lower(name);
  return lower.empty() || lower == ".git" || lower == "git~1";
}

}  // namespace

bool IsSafeRef(std::string_view name) {
  if (name.empty() || name.size() > 250 || name.front() == '-' || name.front() == '/' ||
      name.back() == '/' || name.back() == '.' || name == "@") {
    return false;
  }
  for (char c : name) {
    if (IsControl(c) || std::string_view(" ~^:?*[\\").find(c) != std::string_view::npos)
      return false;
  }
  if (name.find("..") != std::string_view::npos || name.find("@{") != std::string_view::npos)
    return false;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    std::size_t end = std::min(name.find('/', begin), name.size());
    std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part.front() == '.' || part.ends_with(".lock")) return false;
    begin = end + 1;
  }
  return true;
}

bool IsSafePath(std::string_view path) {
  if (path.empty() || path.size() > 4000 || path.front() == '/') return false;
  // On Windows, a backslash separates folders and a colon follows a drive letter, so such a path
  // would mean a different file there.
  if (std::any_of(path.begin(), path.end(),
                  [](char c) { return IsControl(c) || c == '\\' || c == ':'; }))
    return false;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    std::size_t end = std::min(path.find('/', begin), path.size());
    std::string_view part = path.substr(begin, end - begin);
    if (LeadsElsewhere(part)) return false;
    begin = end + 1;
  }
  return true;
}

bool IsIdentifier(std::string_view name) { return name.size() <= 255 && base::IsIdentifier(name); }

bool IsListName(std::string_view name) {
  return IsSafeRef(name) && name.find('/') == std::string_view::npos && name.size() <= 100;
}

}  // namespace revctl::config
