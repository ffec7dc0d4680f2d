#include "harness/history/work_tree.h"

#include <system_error>

namespace revctl::harness {

std::filesystem::path WorkTreeAround(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (std::filesystem::path at = folder;; at = at.parent_path()) {
    if (std::filesystem::exists(at / ".git", ignored)) return at;
    if (!at.has_relative_path()) return {};
  }
}

}  // namespace revctl::harness
