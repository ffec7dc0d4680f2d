#include "harness/schema/condition.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <utility>

#include <revctl/detail/base/parse_number.h>

#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

using base::Token;
using base::TokenKind;

using Op = Expression::Op;

Expression Logical(Operand operand) {
  if (operand.kind == Operand::Kind::Logical) return std::move(operand.value);
  if (operand.kind == Operand::Kind::Optional)
    operand.value = ValueNamed(operand.value.text + ".present");
  return Operation(Op::NotEqual, std::move(operand.value), NumberConstant(0));
}

Operand LogicalOf(Expression value) {
  return {.kind = Operand::Kind::Logical, .value = std::move(value), .bits = 1};
}

Operand NumberOf(Expression value, bool is_unsigned, int bits) {
  return {.value = std::move(value), .is_unsigned = is_unsigned, .bits = bits};
}

std::string Text(const Operand& operand) { return ExpressionText(operand.value); }

bool IsConstant(const Operand& operand) { return operand.value.op == Op::Constant; }

void Negate(Expression& constant) {
  if (constant.text.starts_with('-')) constant.text.erase(0, 1);
  else constant.text.insert(0, "-");
  ReadValue& value = *constant.constant;
  value.bits = ~value.bits + 1;
  value.negative = !value.negative && value.bits != 0;
  value.real = -value.real;
}

bool IsArithmetic(const Operand& o) {
  return o.kind == Operand::Kind::Number || o.kind == Operand::Kind::Real;
}

bool IsWideUnsigned(const Operand& o) {
  return o.kind == Operand::Kind::Number && o.is_unsigned && o.bits >= 32;
}

/// True if C++ may convert a negative number to a large unsigned one in the comparison, which other
/// languages do not do.
bool WrapsInCpp(const Operand& a, const Operand& b) {
  const auto may_be_negative = [](const Operand& o) {
    return o.kind == Operand::Kind::Number &&
           (IsConstant(o) ? o.value.constant->negative : !o.is_unsigned);
  };
  return (IsWideUnsigned(a) && may_be_negative(b)) || (IsWideUnsigned(b) && may_be_negative(a));
}

/// A recursive-descent parser with the operator precedences of C++. Once `why_` is set, every
/// function returns nullopt.
class ConditionParser {
 public:
  ConditionParser(std::string_view condition, const Names& names, std::string& why)
      : names_(names), why_(why) {
    base::Problem problem;
    if (auto file = base::Lex(condition, problem)) file_ = std::move(*file);
    else why_ = problem.message;
  }

  std::optional<Expression> Whole() {
    if (!why_.empty()) return std::nullopt;
    auto all = Either();
    if (!all) return std::nullopt;
    if (at_ < file_.tokens.size()) return Untranslated(), std::nullopt;
    if (!MayDecide(*all)) return std::nullopt;
    return Logical(std::move(*all));
  }

 private:
  using Result = std::optional<Operand>;

  const Token& Now() const {
    static const Token end{TokenKind::Unknown, false, false, false, {}, "the end"};
    return at_ < file_.tokens.size() ? file_.tokens[at_] : end;
  }
  /// Consumes the current token and returns its text.
  std::string Taken() { return std::string(file_.tokens[at_++].text); }
  bool Is(std::string_view sign) const { return Now().Is(sign); }
  bool Take(std::string_view sign) {
    if (!Is(sign)) return false;
    ++at_;
    return true;
  }
  Result Refuse(const std::string& why) {
    if (why_.empty()) why_ = why;
    return std::nullopt;
  }
  Result Untranslated() { return Refuse(fmt::format("`{}` cannot be translated", Now().text)); }
  bool MayDecide(const Operand& o) {
    if (o.kind == Operand::Kind::Number || o.kind == Operand::Kind::Logical ||
        o.kind == Operand::Kind::Optional || o.kind == Operand::Kind::Real)
      return true;
    Refuse(fmt::format("`{}` is not a condition", Text(o)));
    return false;
  }

  template <class Next>
  Result Joined(Next next, std::string_view sign, Op op) {
    Result left = (this->*next)();
    while (left && Take(sign)) {
      Result right = (this->*next)();
      if (!right || !MayDecide(*left) || !MayDecide(*right)) return std::nullopt;
      left = LogicalOf(Operation(op, Logical(std::move(*left)), Logical(std::move(*right))));
    }
    return left;
  }
  Result Either() { return Joined(&ConditionParser::Both, "||", Op::Or); }
  Result Both() { return Joined(&ConditionParser::Comparison, "&&", Op::And); }

  /// Parses a comparison. Rejects `a & b == c`, because C++ parses it as `a & (b == c)`, which is
  /// hardly ever intended.
  Result Comparison() {
    Result left = Sum();
    const bool masked = IsMask();
    if (left && masked) left = Masked(std::move(*left));
    static constexpr std::pair<std::string_view, Op> kSigns[] = {
        {"==", Op::Equal},        {"!=", Op::NotEqual}, {"<=", Op::LessEqual},
        {">=", Op::GreaterEqual}, {"<", Op::Less},      {">", Op::Greater}};
    for (const auto& [sign, op] : kSigns) {
      if (!left || !Take(sign)) continue;
      Result right = Sum();
      if (masked || IsMask())
        return Refuse("a bit mask next to a comparison needs parentheses, as in `(a & b) == c`");
      if (!right || !Comparable(*left, *right, sign)) return std::nullopt;
      return LogicalOf(Operation(op, std::move(left->value), std::move(right->value)));
    }
    return left;
  }

  bool Comparable(Operand& left, Operand& right, std::string_view sign) {
    const bool equality = sign == "==" || sign == "!=";
    if (left.kind == Operand::Kind::Logical || right.kind == Operand::Kind::Logical) {
      AsNumber(left);
      AsNumber(right);
    }
    if (left.kind == Operand::Kind::Enum && right.kind == Operand::Kind::Enum &&
        left.type == right.type) {
      if (!equality) {
        left.value = Operation(Op::EnumNumber, std::move(left.value));
        right.value = Operation(Op::EnumNumber, std::move(right.value));
      }
      return true;
    }
    if (left.kind == Operand::Kind::Text && right.kind == Operand::Kind::Text) return true;
    if (!IsArithmetic(left) || !IsArithmetic(right)) {
      Refuse(fmt::format("`{}` and `{}` can be compared only in C++", Text(left), Text(right)));
      return false;
    }
    if (WrapsInCpp(left, right)) {
      Refuse(
          fmt::format("`{} {} {}` compares a signed number with an unsigned number, and only C++ "
                      "converts the signed number to unsigned",
                      Text(left), sign, Text(right)));
      return false;
    }
    return true;
  }

  static void AsNumber(Operand& o) {
    if (o.kind != Operand::Kind::Logical) return;
    o = NumberOf(Operation(Op::OneOrZero, std::move(o.value)), false, 1);
  }

  bool IsMask() const { return Is("&") || Is("|") || Is("^"); }

  /// Parses `a & b`, `a | b` and `a ^ b` with numeric operands.
  Result Masked(Operand left) {
    while (IsMask()) {
      const std::string sign = Taken();
      Result right = Sum();
      if (!right) return std::nullopt;
      if (left.kind != Operand::Kind::Number || right->kind != Operand::Kind::Number)
        return Refuse(fmt::format("an operand of `{}` is not a number", sign));
      const Op op = sign == "&" ? Op::BitAnd : sign == "|" ? Op::BitOr : Op::BitXor;
      left = NumberOf(Operation(op, std::move(left.value), std::move(right->value)),
                      left.is_unsigned || right->is_unsigned, std::max(left.bits, right->bits));
    }
    return left;
  }

  /// Parses sums and differences of numbers with at most 16 bits. They cannot overflow, because C++
  /// computes them with 32 bits.
  Result Sum() {
    Result left = Single();
    while (left && (Is("+") || Is("-") || Is("*") || Is("/") || Is("%") || Is("<<") || Is(">>"))) {
      const std::string sign = Taken();
      if (sign != "+" && sign != "-")
        return Refuse(fmt::format("`{}` has different meanings in different languages", sign));
      Result right = Single();
      if (!right) return std::nullopt;
      const bool small =
          left->kind == Operand::Kind::Number && right->kind == Operand::Kind::Number &&
          (left->bits <= 16 || IsConstant(*left)) && (right->bits <= 16 || IsConstant(*right));
      if (!small)
        return Refuse(
            fmt::format("`{} {} {}` may overflow, and languages handle overflow differently",
                        Text(*left), sign, Text(*right)));
      if (IsWideUnsigned(*left) || IsWideUnsigned(*right))
        return Refuse(
            fmt::format("`{} {} {}` has an unsigned constant; a negative result wraps around in "
                        "C++, but not in other languages",
                        Text(*left), sign, Text(*right)));
      left = NumberOf(Operation(sign == "+" ? Op::Sum : Op::Difference, std::move(left->value),
                                std::move(right->value)),
                      false, 32);
    }
    return left;
  }

  /// Parses an operand. Limits the nesting, because a record may contain any condition.
  Result Single() {
    constexpr int kDeepest = 64;
    if (depth_ == kDeepest) return Refuse("it is nested too deeply");
    ++depth_;
    Result operand = Inner();
    --depth_;
    return operand;
  }
  Result Inner() {
    if (Take("!")) {
      Result inner = Single();
      if (!inner || !MayDecide(*inner)) return std::nullopt;
      return LogicalOf(Operation(Op::Not, Logical(std::move(*inner))));
    }
    if (Take("-")) {
      Result inner = Single();
      if (!inner) return std::nullopt;
      if (!IsArithmetic(*inner) || !IsConstant(*inner))
        return Refuse("the operand of `-` is not a numeric constant");
      if (inner->is_unsigned)
        return Refuse(fmt::format(
            "`-{}u` wraps around to a large positive number in C++, but not in other languages",
            Text(*inner)));
      Negate(inner->value);
      return inner;
    }
    if (Take("(")) {
      Result inner = Either();
      if (!inner) return std::nullopt;
      if (!Take(")")) return Untranslated();
      return Members(std::move(*inner));
    }
    if (Now().kind == TokenKind::Number) return Number();
    if (Now().kind == TokenKind::String && Now().text.starts_with('"')) return StringLiteral();
    if (Now().IsName()) return Named();
    return Untranslated();
  }

  Result StringLiteral() {
    Operand out{.kind = Operand::Kind::Text, .value = {Op::Constant, Taken()}};
    const std::string_view text = out.value.text;
    if (text.find('\\') == text.npos)
      out.value.constant = {.kind = ReadValue::Kind::Text,
                            .text = std::string(text.substr(1, text.size() - 2))};
    return out;
  }

  Result Number() {
    std::string text = Taken();
    std::erase(text, '\'');
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    bool is_unsigned = false, real = !hex && text.find('.') != std::string::npos;
    while (!text.empty() && (std::string_view("uUlL").find(text.back()) != std::string_view::npos ||
                             (real && (text.back() == 'f' || text.back() == 'F')))) {
      is_unsigned |= text.back() == 'u' || text.back() == 'U';
      text.pop_back();
    }
    if (real) {
      if (text.starts_with('.')) text.insert(0, "0");
      if (text.ends_with('.')) text += "0";
      ReadValue value{.kind = ReadValue::Kind::Real};
      if (!revctl::detail::ParseNumber(text, value.real))
        return Refuse(fmt::format("`{}` cannot be translated", text));
      return Operand{.kind = Operand::Kind::Real, .value = {Op::Constant, text, value}, .bits = 64};
    }
    const bool octal = !hex && text.size() > 1 && text[0] == '0' && text[1] != 'b';
    std::uint64_t value = 0;
    const char* begin = text.data() + (hex ? 2 : text.starts_with("0b") ? 2 : 0);
    const int base = hex ? 16 : text.starts_with("0b") ? 2 : octal ? 8 : 10;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size())
      return Refuse(fmt::format("`{}` cannot be translated", text));
    return NumberOf({Op::Constant, std::to_string(value), ReadValue{.bits = value}}, is_unsigned,
                    value > 0x7FFFFFFF ? 64 : 32);
  }

  Result Named() {
    std::string name = Taken();
    if (name == "true" || name == "false")
      return NumberOf(NumberConstant(name == "true" ? 1 : 0), false, 1);
    if ((name == "d" && Take(".")) || (name == "t" && Take("->"))) return Member(nullptr);
    if (name == "r") {
      if (Take(".") && Now().text == "revision") {
        ++at_;
        return NumberOf(NumberConstant(names_.revision), false, 32);
      }
      return Refuse("it uses a member of the archive `r` other than `r.revision`");
    }
    std::string scope;
    while (Take("::")) {
      if (!Now().IsName()) return Untranslated();
      scope += (scope.empty() ? "" : "::") + name;
      name = Taken();
    }
    if (Is("(")) return Refuse(fmt::format("the function `{}` exists only in C++", name));
    std::string why;
    if (scope.empty()) {
      if (auto local = names_.local(name, why)) return Members(std::move(*local));
    }
    if (auto constant = names_.constant(scope, name, why)) return constant;
    return Refuse(why.empty() ? fmt::format("`{}` exists only in C++", name) : why);
  }

  Result Member(const Operand* inside) {
    if (!Now().IsName()) return Untranslated();
    const std::string name = Taken();
    std::string why;
    auto found = names_.member(inside, name, why);
    if (!found) return Refuse(why);
    return Members(std::move(*found));
  }

  /// Parses the suffixes of a value, such as `.b` or `.size()`.
  Result Members(Operand operand) {
    while (Is(".") || Is("->")) {
      if (operand.kind == Operand::Kind::Record && Is(".")) {
        ++at_;
        return Member(&operand);
      }
      ++at_;
      const std::string name(Now().text);
      if (Now().IsName()) ++at_;
      if (!Take("(") || !Take(")"))
        return Refuse(fmt::format("`{}.{}` cannot be translated", Text(operand), name));
      const bool counted =
          operand.kind == Operand::Kind::Sequence || operand.kind == Operand::Kind::Text;
      const std::string count =
          operand.kind == Operand::Kind::Text ? operand.type : operand.value.text + ".count";
      if (counted && name == "size" && !count.empty()) {
        operand = NumberOf(ValueNamed(count), true, 64);
      } else if (counted && name == "empty" && !count.empty()) {
        operand = LogicalOf(Operation(Op::Equal, ValueNamed(count), NumberConstant(0)));
      } else if (operand.kind == Operand::Kind::Optional && name == "has_value") {
        operand = LogicalOf(Logical(std::move(operand)));
      } else {
        return Refuse(fmt::format("`.{}()` exists only in C++", name));
      }
    }
    return operand;
  }

  base::LexedFile file_;
  const Names& names_;
  std::string& why_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Expression> ParseCondition(std::string_view condition, const Names& names,
                                         std::string& why) {
  why.clear();
  // A hostile record may contain a long condition, which would need too much memory and recurse too
  // deeply.
  constexpr std::size_t kLongest = 2048;
  if (condition.size() > kLongest) {
    why = fmt::format("it is longer than {} bytes", kLongest);
    return std::nullopt;
  }
  return ConditionParser(condition, names, why).Whole();
}

}  // namespace revctl::harness
