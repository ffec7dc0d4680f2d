#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/preprocessor.h"

namespace revctl::list::detail {

/// Where names are declared, as far as tokens show it: in any scope, by any kind of declaration,
/// those that FindDeclarations() passes over, too. C++ may find another one than revctl does, by a
/// base class, a `using`, an inline namespace: so a name with two of them is not certain. The index
/// is made when a name is asked for: most lists never ask.
class Mentions {
 public:
  Mentions(const PreprocessedFile& file, std::span<const Declaration> declarations)
      : file_(file), declarations_(declarations) {}

  /// Are there several declarations of `name` before the offset `before`?
  bool Several(std::string_view name, std::size_t before);
  /// Does `name` stand, before that offset, in a part of the file that is compiled or not by a
  /// condition that the file does not decide?
  bool Undecided(std::string_view name, std::size_t before) const {
    const auto found = file_.undecided_names.find(name);
    return found != file_.undecided_names.end() && found->second < before;
  }

 private:
  void Index();

  const PreprocessedFile& file_;
  std::span<const Declaration> declarations_;
  bool indexed_ = false;
  /// offsets of the first two, ascending
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
};

}  // namespace revctl::list::detail
