#include "revctl/config/files.h"

#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"

namespace revctl::config {

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  auto text = base::ReadFile(path, limit);
  if (!text.ok()) return base::InMessage(std::move(text).error());
  return text;
}

Result<std::optional<std::string>> ReadPlainFile(const std::string& path, std::size_t limit) {
  auto text = ReadFile(path, limit);
  if (!text.ok() && text.error().fix.empty())
    text.error().fix = "ls -ld " + base::ShellPath(path) + "   # move it away, then try again";
  return text;
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode) {
  auto replaced = base::ReplaceFile(path, bytes, mode);
  if (!replaced.ok()) return base::InMessage(std::move(replaced).error());
  return replaced;
}

Result<Done> RefuseLink(const std::string& path, const std::string& name) {
  if (base::KindAt(path) != base::PathKind::Link) return Done{};
  return base::Error{
      base::Exit::Usage, name + ": is a symbolic link",
      "replace it with a regular file, or run git checkout -- " + base::ShellPath(name)};
}

Result<Done> RefuseOutside(const std::string& folder, const std::string& name,
                           const std::string& top) {
  const std::string path = folder + "/" + name;
  if (base::KindAt(path) == base::PathKind::Link)
    return base::Error{base::Exit::Usage, name + ": is a symbolic link",
                       "set `path` in .revctl.yaml to the target of the link"};
  // A parent folder may be a link too.
  const std::string resolved = base::ResolvedPath(path);
  if (resolved.starts_with(base::ResolvedPath(top) + "/")) return Done{};
  return base::Error{base::Exit::Usage, name + ": points outside the repository, to " + resolved,
                     "correct `path` in .revctl.yaml"};
}

}  // namespace revctl::config
