#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"

// Reads and writes files of the work tree. Error messages include the file's name.
namespace revctl::config {

/// Size limits for reading. Real lists are smaller than 1 MB.
inline constexpr std::size_t kMaxListBytes = std::size_t{128} << 20;
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// Like the functions of the same name in `base`, but error messages contain the file name.
base::Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);
/// Like ReadFile(), but if the file cannot be read, the error's fix is a command that lists the
/// file.
base::Result<std::optional<std::string>> ReadPlainFile(const std::string& path, std::size_t limit);
base::Result<base::Done> ReplaceFile(const std::string& path, std::string_view bytes,
                                     unsigned mode = 0644);

/// Returns an Error if `path` (`name` in messages) is a symbolic link, because writing to it could
/// change any of the user's files.
base::Result<base::Done> RefuseLink(const std::string& path, const std::string& name);

/// Returns a usage error if the list `name` in `folder` is a symbolic link, or if a link in its
/// path leads out of `top`.
base::Result<base::Done> RefuseOutside(const std::string& folder, const std::string& name,
                                       const std::string& top);

}  // namespace revctl::config
