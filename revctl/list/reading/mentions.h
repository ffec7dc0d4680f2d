#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/preprocessor.h"

namespace revctl::list::detail {

/// Finds declarations of names by looking only at tokens. Covers every scope and every kind of
/// declaration, even declarations that FindDeclarations() ignores. Because of base classes, `using`
/// and inline namespaces, C++ may find a different declaration than revctl, so a name with two
/// declarations is ambiguous. The index is built on the first lookup, which most lists never need.
class Mentions {
 public:
  Mentions(const PreprocessedFile& file, std::span<const Declaration> declarations)
      : file_(file), declarations_(declarations) {}

  /// True if `name` has several declarations before the offset `before`.
  bool Several(std::string_view name, std::size_t before);
  /// True if `name` occurs before the offset `before` in code whose condition cannot be decided
  /// from this file alone.
  bool Undecided(std::string_view name, std::size_t before) const {
    const auto found = file_.undecided_names.find(name);
    return found != file_.undecided_names.end() && found->second < before;
  }

 private:
  void Index();

  const PreprocessedFile& file_;
  std::span<const Declaration> declarations_;
  bool indexed_ = false;
  /// offsets of the first two declarations, ascending
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

}  // namespace revctl::list::detail
