#include "harness/schema/expression.h"

#include <fmt/core.h>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace revctl::harness {
namespace {

using Op = Expression::Op;

ReadValue NumberOf(std::int64_t number) {
  ReadValue value;
  value.bits = static_cast<std::uint64_t>(number);
  value.negative = number < 0;
  return value;
}

double RealOf(const ReadValue& value) {
  if (value.kind == ReadValue::Kind::Real) return value.real;
  return value.negative ? static_cast<double>(static_cast<std::int64_t>(value.bits))
                        : static_cast<double>(value.bits);
}

bool IsTrue(const ReadValue& value) {
  return value.kind == ReadValue::Kind::Real ? value.real != 0 : value.bits != 0;
}

template <class Value>
bool CompareAs(Op op, const Value& left, const Value& right) {
  switch (op) {
    case Op::Equal:
      return left == right;
    case Op::NotEqual:
      return left != right;
    case Op::Less:
      return left < right;
    case Op::Greater:
      return left > right;
    case Op::LessEqual:
      return left <= right;
    default:
      return left >= right;
  }
}

bool CompareValues(Op op, const ReadValue& left, const ReadValue& right) {
  const auto either = [&](ReadValue::Kind one) { return left.kind == one || right.kind == one; };
  if (either(ReadValue::Kind::Text)) return CompareAs(op, left.text, right.text);
  if (either(ReadValue::Kind::Real)) return CompareAs(op, RealOf(left), RealOf(right));
  // Negative numbers sort before all others. The two's complement bits sort correctly within each
  // group.
  const auto key = [](const ReadValue& value) { return std::pair(!value.negative, value.bits); };
  return CompareAs(op, key(left), key(right));
}

/// Kaitai Struct's binary operators, in the order of Op's enumerators, starting at Op::And.
constexpr std::array<std::string_view, 13> kSigns = {"and", "or", "==", "!=", "<=", ">=", "<",
                                                     ">",   "&",  "|",  "^",  "+",  "-"};

std::string_view Sign(Op op) {
  return kSigns.at(static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::And));
}

void Append(const Expression& expression, std::string& out) {
  if (expression.parts.empty()) {
    out += expression.text;
    return;
  }
  const bool parentheses = expression.op != Op::EnumNumber;
  if (parentheses) out += '(';
  if (expression.op == Op::Not) out += "not ";
  Append(expression.parts[0], out);
  if (expression.op == Op::OneOrZero) out += " ? 1 : 0";
  if (expression.op == Op::EnumNumber) out += ".to_i";
  if (expression.parts.size() == 2) {
    out += fmt::format(" {} ", Sign(expression.op));
    Append(expression.parts[1], out);
  }
  if (parentheses) out += ')';
}

std::optional<ReadValue> Evaluate(const Expression& expression,
                                  const std::map<std::string, ReadValue>& values) {
  const Op op = expression.op;
  if (op == Op::Constant) return expression.constant;
  if (op == Op::Value) {
    const auto found = values.find(expression.text);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  auto left = Evaluate(expression.parts[0], values);
  if (!left || op == Op::EnumNumber) return left;
  if (op == Op::Not) return NumberOf(IsTrue(*left) ? 0 : 1);
  if (op == Op::OneOrZero) return NumberOf(IsTrue(*left) ? 1 : 0);
  // As in C++, the right side is evaluated only if the result depends on it.
  if (op == Op::And && !IsTrue(*left)) return NumberOf(0);
  if (op == Op::Or && IsTrue(*left)) return NumberOf(1);
  const auto right = Evaluate(expression.parts[1], values);
  if (!right) return std::nullopt;
  ReadValue out;
  switch (op) {
    case Op::And:
    case Op::Or:
      return NumberOf(IsTrue(*right) ? 1 : 0);
    case Op::BitAnd:
      out.bits = left->bits & right->bits;
      out.negative = left->negative && right->negative;
      return out;
    case Op::BitOr:
      out.bits = left->bits | right->bits;
      out.negative = left->negative || right->negative;
      return out;
    case Op::BitXor:
      out.bits = left->bits ^ right->bits;
      out.negative = left->negative != right->negative;
      return out;
    case Op::Sum:
      return NumberOf(static_cast<std::int64_t>(left->bits + right->bits));
    case Op::Difference:
      return NumberOf(static_cast<std::int64_t>(left->bits - right->bits));
    default:
      return NumberOf(CompareValues(op, *left, *right) ? 1 : 0);
  }
}

}  // namespace

Expression NumberConstant(std::int64_t number) {
  return {Op::Constant, std::to_string(number), NumberOf(number), {}};
}

Expression ValueNamed(std::string name) { return {Op::Value, std::move(name), {}, {}}; }

Expression Operation(Op op, Expression operand) {
  Expression out{op, {}, {}, {}};
  out.parts.push_back(std::move(operand));
  return out;
}

Expression Operation(Op op, Expression left, Expression right) {
  Expression out = Operation(op, std::move(left));
  out.parts.push_back(std::move(right));
  return out;
}

std::string ExpressionText(const Expression& expression) {
  std::string out;
  Append(expression, out);
  return out;
}

void AddNames(const Expression& expression, std::set<std::string>& names) {
  if (expression.op == Op::Value) names.insert(expression.text);
  for (const Expression& part : expression.parts) AddNames(part, names);
}

std::optional<bool> Decide(const Expression& expression,
                           const std::map<std::string, ReadValue>& values) {
  const auto value = Evaluate(expression, values);
  return value ? std::optional(IsTrue(*value)) : std::nullopt;
}

}  // namespace revctl::harness
