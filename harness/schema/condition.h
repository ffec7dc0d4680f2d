#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace revctl::harness {

/// What a name in a condition stands for when the condition is computed from values that were read
/// before.
struct Operand {
  enum class Kind { Number, Logical, Real, Text, Enum, Optional, Sequence, Record };
  Kind kind = Kind::Number;
  std::string text;  ///< as Kaitai Struct spells it
  std::string type;  ///< name of the record or the enum
  bool is_unsigned = false;
  int bits = 32;          ///< of a Number
  bool constant = false;  ///< a Number written out
};

/// How a condition finds what it names. Both may refuse, with a reason.
struct Names {
  /// `a` or `a.b` (members below `d`, or below a record), or a bare name (`local`: a REM's).
  std::function<std::optional<Operand>(const Operand* inside, const std::string& name,
                                       std::string& why)>
      member;
  std::function<std::optional<Operand>(const std::string& name, std::string& why)> local;
  /// `Color::Red`, `SR_FOULS`: the words before the last `::` joined by it, empty where there are
  /// none.
  std::function<std::optional<Operand>(const std::string& scope, const std::string& name,
                                       std::string& why)>
      constant;
  std::int64_t revision = 0;  ///< what `r.revision` is
};

/// A C++ condition as an expression of Kaitai Struct that is true or false. It is translated only
/// where it means the same in every language that Kaitai Struct writes: comparisons, `&&`, `||`,
/// `!`, sums and masks of numbers that cannot overflow, `.size()`, `.empty()`, `.has_value()`. Else
/// nothing, and `why` says what is in the way.
std::optional<std::string> TranslateCondition(std::string_view condition, const Names& names,
                                              std::string& why);

}  // namespace revctl::harness
