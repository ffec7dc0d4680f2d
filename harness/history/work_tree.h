#pragma once
#include <filesystem>

namespace revctl::harness {

/// The git work tree that `folder` lies in: the nearest folder above it, or itself, with a `.git`.
/// Empty outside of one.
std::filesystem::path WorkTreeAround(const std::filesystem::path& folder);

}  // namespace revctl::harness
