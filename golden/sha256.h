#pragma once
#include <string>
#include <string_view>

namespace revctl::golden {

/// Returns the SHA-256 of `bytes` as 64 lowercase hex digits. Git LFS identifies files by it.
std::string Sha256(std::string_view bytes);

}  // namespace revctl::golden
