#include "harness/signals/check_options.h"

#include <filesystem>

namespace revctl::harness {

std::string CheckOptions::Whole(const std::string& file) const {
  namespace fs = std::filesystem;
  return fs::path(file).is_absolute() || build_root.empty() || file.empty()
             ? file
             : (fs::path(build_root) / file).lexically_normal().string();
}

std::string CheckOptions::Relative(const std::string& file) const {
  const std::string whole = Whole(file);
  if (source_root.empty() || !whole.starts_with(source_root + "/")) return whole;
  return whole.substr(source_root.size() + 1);
}

}  // namespace revctl::harness
