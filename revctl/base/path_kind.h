#pragma once
#include <filesystem>
#include <string>

namespace revctl::base {

/// What is at a path itself, not what a symbolic link there leads to. Junctions of Windows are
/// links.
enum class PathKind { None, File, Folder, Link, Other };

/// Returns None also if the path cannot be looked at.
PathKind KindAt(const std::string& path);
/// Like KindAt(), but on most systems the listing has said it already.
PathKind KindOf(const std::filesystem::directory_entry& entry);

}  // namespace revctl::base
