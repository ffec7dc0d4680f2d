#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace revctl::harness {

/// The meaning of a name in a condition that is evaluated with values read before.
struct Operand {
  enum class Kind { Number, Logical, Real, Text, Enum, Optional, Sequence, Record };
  Kind kind = Kind::Number;
  std::string text;  ///< in the syntax of Kaitai Struct
  std::string type;  ///< name of the record or the enum
  bool is_unsigned = false;
  int bits = 32;          ///< for a Number
  bool constant = false;  ///< a Number literal
};

/// Resolves the names in a condition. Each function returns nullopt and sets `why` if it cannot.
struct Names {
  /// Resolves `a` or `a.b`, a member of `d` or of a record; `local` resolves a bare name, a REM's.
  std::function<std::optional<Operand>(const Operand* inside, const std::string& name,
                                       std::string& why)>
      member;
  std::function<std::optional<Operand>(const std::string& name, std::string& why)> local;
  /// Resolves `Color::Red`, `SR_FOULS`. `scope` is the part before the last `::`, or empty.
  std::function<std::optional<Operand>(const std::string& scope, const std::string& name,
                                       std::string& why)>
      constant;
  std::int64_t revision = 0;  ///< value of `r.revision`
};

/// Translates a C++ condition into a boolean expression of Kaitai Struct. Supports only constructs
/// with the same meaning in every target language of Kaitai Struct: comparisons, `&&`, `||`, `!`,
/// sums and masks of numbers that cannot overflow, `.size()`, `.empty()`, `.has_value()`. Otherwise
/// returns nullopt and sets `why`.
std::optional<std::string> TranslateCondition(std::string_view condition, const Names& names,
                                              std::string& why);

}  // namespace revctl::harness
