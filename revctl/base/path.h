#pragma once
#include <string_view>

namespace revctl::base {

/// The name of a file without its folders.
constexpr std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace revctl::base
