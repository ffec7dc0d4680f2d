#pragma once
#include <optional>
#include <string>

namespace revctl::commands {

/// A file that a repair writes or, in a dry run, would write. `before` and `after` are the contents
/// before and after the repair, or nullopt if the file does not exist then.
struct FileChange {
  std::string path;  ///< relative to the repository's root
  std::optional<std::string> before, after;
};

}  // namespace revctl::commands
