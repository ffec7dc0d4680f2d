#pragma once
#include <filesystem>
#include <string>

namespace revctl::base {

/// The kind of the entry at a path. Symbolic links are not followed. Junctions of Windows are
/// links.
enum class PathKind { None, File, Folder, Link, Other };

/// Returns None also if the path cannot be examined.
PathKind KindAt(const std::string& path);
/// Like KindAt(), but on most systems without a call of the system, because the directory listing
/// contains the kind.
PathKind KindOf(const std::filesystem::directory_entry& entry);

}  // namespace revctl::base
