#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"

// Files of the work tree. An error names its file within the message.
namespace revctl::config {

/// Largest list or configuration that is read at all (bytes). Real lists stay below 1 MB.
inline constexpr std::size_t kMaxListBytes = std::size_t{128} << 20;
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// As base::ReadFile and base::ReplaceFile.
base::Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);
/// For a file that no other advice fits: an error has the command that shows what stands there.
base::Result<std::optional<std::string>> ReadPlainFile(const std::string& path, std::size_t limit);
base::Result<base::Done> ReplaceFile(const std::string& path, std::string_view bytes,
                                     unsigned mode = 0644);

/// An Error where `path`, `name` in messages, is a symbolic link: writing would change what it
/// names, which may be any user's file.
base::Result<base::Done> RefuseLink(const std::string& path, const std::string& name);

/// Exit::Usage where the list `name` in `folder` is a link, or lies behind one that leads out of
/// `top`.
base::Result<base::Done> RefuseOutside(const std::string& folder, const std::string& name,
                                       const std::string& top);

}  // namespace revctl::config
