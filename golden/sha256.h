#pragma once
#include <string>
#include <string_view>

namespace revctl::golden {

/// Returns the SHA-256 of `bytes` as 64 lower-case hex digits. Git LFS names files by it.
std::string Sha256(std::string_view bytes);

}  // namespace revctl::golden
