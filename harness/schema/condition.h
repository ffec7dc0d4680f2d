#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/schema/expression.h"

namespace revctl::harness {

/// The meaning of a name in a condition. A condition can only use values that are read before it.
struct Operand {
  enum class Kind { Number, Logical, Real, Text, Enum, Optional, Sequence, Record };
  Kind kind = Kind::Number;
  /// For a Record, Sequence or Optional, a Value that stands for the whole object. Its name, such
  /// as `pos`, is the prefix of the names of its parts, such as `pos.x`.
  Expression value{};
  /// The name of the record or enum. For a Text, the name of the value that contains the text's
  /// size, or empty for a literal.
  std::string type{};
  bool is_unsigned = false;
  int bits = 32;  ///< number of bits; only for a Number
};

/// Resolves the names in a condition. Each function returns nullopt and sets `why` if the name is
/// unknown.
struct Names {
  /// `member` resolves a member of `d` or of a record, such as `a` or `a.b`. `local` resolves a
  /// name without a prefix, which is a REM's local variable.
  std::function<std::optional<Operand>(const Operand* inside, const std::string& name,
                                       std::string& why)>
      member;
  std::function<std::optional<Operand>(const std::string& name, std::string& why)> local;
  /// Resolves a name such as `Color::Red` or `SR_FOULS`. `scope` is the part before the last `::`,
  /// or empty.
  std::function<std::optional<Operand>(const std::string& scope, const std::string& name,
                                       std::string& why)>
      constant;
  std::int64_t revision = 0;  ///< value of `r.revision`
};

/// Parses a C++ condition. Supports only constructs that mean the same in every target language of
/// Kaitai Struct: comparisons, `&&`, `||`, `!`, sums and masks of numbers that cannot overflow,
/// `.size()`, `.empty()` and `.has_value()`. For all other constructs, returns nullopt and sets
/// `why`.
std::optional<Expression> ParseCondition(std::string_view condition, const Names& names,
                                         std::string& why);

}  // namespace revctl::harness
