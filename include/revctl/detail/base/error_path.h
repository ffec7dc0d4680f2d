#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/base/joined.h>

namespace revctl::detail {

/// Returns the root of a path, which is the name of the type without its enclosing namespaces:
/// `game::Box<ns::T>` becomes `Box<ns::T>`. The result points into `type`.
inline std::string_view RootOfPath(std::string_view type) {
  const std::size_t colon = type.substr(0, type.find('<')).rfind("::");
  return colon == std::string_view::npos ? type : type.substr(colon + 2);
}

/// Collects the path of a binary archive's first error while the bodies return, from the innermost
/// field to the outermost. Archives call this class only when they are out of bytes, which they
/// always are after an error, so it costs nothing in ordinary runs.
///
/// Bodies continue after an error and visit more values, which must not become part of the path.
/// Begin() and End() count these visits.
class ErrorPath {
 public:
  /// Call this before visiting a value if the archive is out of bytes.
  void Begin(bool failed) {
    if (failed) ++visits_after_error_;
  }
  /// Call this after visiting a value if the archive is out of bytes. Returns true if the error is
  /// inside the value.
  bool End(bool failed) {
    if (!failed) return false;
    if (visits_after_error_ == 0) return true;
    --visits_after_error_;
    return false;
  }

  /// Adds a field to the path. Does nothing if `name` is empty or null.
  void Add(const char* name) {
    if (name != nullptr && *name != '\0') steps_.push_back(Joined({".", name}));
  }
  void AddElement(std::size_t index) { steps_.push_back(Joined({"[", index, "]"})); }
  void AddKey(std::size_t index) { steps_.push_back(Joined({"#key[", index, "]"})); }

  /// Returns the path, for example `Level.things[3].mesh`. `root` is the name of the root type.
  std::string Text(std::string_view root) const {
    std::string path(RootOfPath(root));
    for (std::size_t i = steps_.size(); i > 0; --i) path += steps_[i - 1];
    return path;
  }

 private:
  std::vector<std::string> steps_;
  std::size_t visits_after_error_ = 0;
};

}  // namespace revctl::detail
