#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace revctl::harness {

/// A value read from a payload, or a constant in a condition.
struct ReadValue {
  enum class Kind : std::uint8_t { Number, Real, Text };
  Kind kind = Kind::Number;
  std::uint64_t bits = 0;  ///< a Number, sign-extended to 64 bits if it is signed
  bool negative = false;
  double real = 0;
  std::string text{};
};

/// A condition on the values of a payload, as a tree.
struct Expression {
  enum class Op : std::uint8_t {
    Constant,
    Value,
    Not,
    And,
    Or,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    BitAnd,
    BitOr,
    BitXor,
    Sum,
    Difference,
    OneOrZero,   ///< 1 if the operand is true, otherwise 0
    EnumNumber,  ///< the number of an enumerator, `.to_i` in Kaitai Struct
  };
  Op op = Op::Constant;
  /// For a Value, its name, such as `kind`, `items.count`, `pos.x` or `boss.present`. For a
  /// Constant, its text in the syntax of Kaitai Struct.
  std::string text{};
  /// The value of a Constant, or nullopt for a string literal with escape sequences, which are not
  /// decoded.
  std::optional<ReadValue> constant{};
  std::vector<Expression> parts{};  ///< the operands
};

Expression NumberConstant(std::int64_t number);
Expression ValueNamed(std::string name);
Expression Operation(Expression::Op op, Expression operand);
Expression Operation(Expression::Op op, Expression left, Expression right);

/// Returns the expression in the syntax of Kaitai Struct, with every operation in parentheses.
std::string ExpressionText(const Expression& expression);

/// Adds the names of the values that Decide needs.
void AddNames(const Expression& expression, std::set<std::string>& names);

/// Evaluates a condition. Returns nullopt if the result depends on a value that is not in `values`
/// or on a string literal that contains an escape sequence.
std::optional<bool> Decide(const Expression& expression,
                           const std::map<std::string, ReadValue>& values);

}  // namespace revctl::harness
