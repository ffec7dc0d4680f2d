#pragma once
#include <optional>
#include <string>
#include <vector>

namespace revctl::base {

/// The kind of the entry at a path, without following symbolic links. Windows junctions count as
/// links.
enum class PathKind { None, File, Folder, Link, Other };

/// Also returns None if the path cannot be examined.
PathKind KindAt(const std::string& path);

struct ListedEntry {
  std::string name;
  PathKind kind = PathKind::None;
};
/// Returns all entries of a folder, unsorted. Returns nullopt and sets errno on failure.
std::optional<std::vector<ListedEntry>> ListFolder(const std::string& folder);

}  // namespace revctl::base
