#pragma once
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/integer.h"
#include "revctl/list/reading/preprocessor.h"

namespace revctl::list::detail {

struct EvaluatedEnum {
  const EnumDeclaration* declaration = nullptr;
  /// Null if the enum has no fixed underlying type, or an unknown one.
  std::optional<IntegerType> underlying;
  /// The value of each enumerator, as written, even if the fixed type cannot hold it.
  std::vector<std::optional<Integer>> values;
  std::map<std::size_t, Problem> problems;  ///< why an enumerator has no value, by index
};

/// Evaluates every enum of a file. Each sees only the declarations before it.
std::vector<EvaluatedEnum> EvaluateEnums(std::span<const Declaration> declarations,
                                         const PreprocessedFile& file);

}  // namespace revctl::list::detail
