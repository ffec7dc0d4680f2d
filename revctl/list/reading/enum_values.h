#pragma once
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/integer.h"
#include "revctl/list/reading/preprocessor.h"

namespace revctl::list::detail {

/// The enumerators of one enum, evaluated in order.
struct EvaluatedEnum {
  const EnumDeclaration* declaration = nullptr;
  /// The enum's fixed underlying type, where it has one that is known.
  std::optional<IntegerType> underlying;
  /// One per enumerator. A value that the fixed type cannot hold is given all the same, as it was
  /// written.
  std::vector<std::optional<Integer>> values;
  std::map<std::size_t, Problem> problems;  ///< why an enumerator has no value, by its index
};

/// Evaluates every enum of a file, each with what was declared before it.
std::vector<EvaluatedEnum> EvaluateEnums(std::span<const Declaration> declarations,
                                         const PreprocessedFile& file);

}  // namespace revctl::list::detail
