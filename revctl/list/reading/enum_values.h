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
  /// The fixed underlying type; nullopt if the enum has none or revctl does not know the type.
  std::optional<IntegerType> underlying;
  /// One value per enumerator. The value is kept as written, even if the fixed type cannot hold it.
  std::vector<std::optional<Integer>> values;
  /// why an enumerator has no value, by the enumerator's index
  std::map<std::size_t, Problem> problems;
};

/// Evaluates every enum of a file. Each enum sees only the declarations before it.
std::vector<EvaluatedEnum> EvaluateEnums(std::span<const Declaration> declarations,
                                         const PreprocessedFile& file);

}  // namespace revctl::list::detail
