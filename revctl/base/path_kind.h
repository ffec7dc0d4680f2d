#pragma once
#include <optional>
#include <string>
#include <vector>

namespace revctl::base {

/// The kind of file system entry at a path, without following symbolic links. Windows junctions
/// count as links.
enum class PathKind { None, File, Folder, Link, Other };

/// Returns the kind of the entry at `path`. Returns None if there is no entry or it cannot be
/// examined.
PathKind KindAt(const std::string& path);

struct ListedEntry {
  std::string name;
  PathKind kind = PathKind::None;
};
/// Returns all entries of a folder, unsorted. Returns nullopt and sets errno on failure.
std::optional<std::vector<ListedEntry>> ListFolder(const std::string& folder);

}  // namespace revctl::base
