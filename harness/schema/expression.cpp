#include "harness/schema/expression.h"

#include <revctl/detail/base/parse_number.h>

#include <array>
#include <utility>
#include <vector>

#include "revctl/base/ascii.h"

namespace revctl::harness {

struct Expression::Node {
  std::string op;    ///< operator such as `and`, `==` or `?`; empty for a value or a constant
  std::string name;  ///< name of a value; empty for a constant
  ReadValue value;   ///< value of a constant
  std::vector<Node> parts;
};

namespace {

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

/// Applies the comparison operator `sign`.
template <class Value>
bool CompareAs(const std::string& sign, const Value& left, const Value& right) {
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  if (sign == "<") return left < right;
  if (sign == ">") return left > right;
  return sign == "<=" ? left <= right : left >= right;
}

bool CompareValues(const std::string& sign, const ReadValue& left, const ReadValue& right) {
  const auto either = [&](ReadValue::Kind kind) { return left.kind == kind || right.kind == kind; };
  if (either(ReadValue::Kind::Text)) return CompareAs(sign, left.text, right.text);
  if (either(ReadValue::Kind::Real)) return CompareAs(sign, RealOf(left), RealOf(right));
  // Negative numbers sort before all others. The two's complement bits sort correctly within each
  // group.
  const auto key = [](const ReadValue& value) { return std::pair(!value.negative, value.bits); };
  return CompareAs(sign, key(left), key(right));
}

}  // namespace

/// A recursive-descent parser. It needs no precedences, because TranslateCondition parenthesizes
/// every binary operation.
class Expression::Parser {
 public:
  Parser(std::string_view text, const Constant& constant, std::set<std::string>& names)
      : text_(text), constant_(constant), names_(names) {}

  std::optional<Node> Whole() {
    auto node = Value();
    Blanks();
    return node && at_ == text_.size() ? std::move(node) : std::nullopt;
  }

 private:
  void Blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(std::string_view sign) {
    Blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  std::optional<Node> Value() {
    if (Take("(")) {
      auto inner = Take("not ") ? With("not", {Value()}) : Joined(Value());
      return Take(")") ? std::move(inner) : std::nullopt;
    }
    if (at_ == text_.size()) return std::nullopt;
    const char first = text_[at_];
    if (first == '"') return Text();
    return first == '-' || base::IsDigit(first) ? Number() : Name();
  }

  std::optional<Node> Joined(std::optional<Node> left) {
    static constexpr std::array<std::string_view, 14> kSigns = {
        "and ", "or ", "==", "!=", "<=", ">=", "<", ">", "&", "|", "^", "+", "- ", "?"};
    for (const std::string_view sign : kSigns) {
      if (!left || !Take(sign)) continue;
      const std::string op(sign.substr(0, sign.find(' ')));
      auto right = Value();
      if (op != "?") return With(op, {std::move(left), std::move(right)});
      if (!Take(":")) return std::nullopt;
      return With(op, {std::move(left), std::move(right), Value()});
    }
    return left;
  }
  static std::optional<Node> With(std::string op, std::vector<std::optional<Node>> parts) {
    Node node;
    node.op = std::move(op);
    for (std::optional<Node>& part : parts) {
      if (!part) return std::nullopt;
      node.parts.push_back(std::move(*part));
    }
    return node;
  }

  std::optional<Node> Text() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view literal = text_.substr(at_ + 1, end - at_ - 1);
    if (literal.find('\\') != std::string_view::npos) return std::nullopt;
    at_ = end + 1;
    Node node;
    node.value.kind = ReadValue::Kind::Text;
    node.value.text = literal;
    return node;
  }
  std::optional<Node> Number() {
    const std::size_t end = text_.find_first_of(" )", at_);
    const std::string_view word = text_.substr(at_, end - at_);
    Node node;
    const bool real = word.find_first_of(".eE") != std::string_view::npos;
    const bool negative = word.starts_with('-');
    if (real) {
      node.value.kind = ReadValue::Kind::Real;
      if (!revctl::detail::ParseNumber(word, node.value.real)) return std::nullopt;
    } else {
      if (!revctl::detail::ParseNumber(word.substr(negative ? 1 : 0), node.value.bits))
        return std::nullopt;
      if (negative) node.value.bits = ~node.value.bits + 1;
      node.value.negative = negative && node.value.bits != 0;
    }
    at_ += word.size();
    return node;
  }
  std::optional<Node> Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (base::IsLower(text_[at_]) || base::IsDigit(text_[at_]) ||
                                  std::string_view("_.:").find(text_[at_]) != text_.npos))
      ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) return std::nullopt;
    constexpr std::string_view kNumber = ".to_i";
    if (name.ends_with(kNumber)) name.resize(name.size() - kNumber.size());
    Node node;
    if (name.find("::") == std::string::npos) {
      names_.insert(name);
      node.name = std::move(name);
      return node;
    }
    const auto number = constant_(name);
    if (!number) return std::nullopt;
    node.value = NumberOf(*number);
    return node;
  }

  const std::string_view text_;
  const Constant& constant_;
  std::set<std::string>& names_;
  std::size_t at_ = 0;
};

std::optional<Expression> Expression::Parse(std::string_view text, const Constant& constant) {
  Expression expression;
  auto root = Parser(text, constant, expression.names_).Whole();
  if (!root) return std::nullopt;
  expression.root_ = std::make_shared<const Node>(std::move(*root));
  return expression;
}

std::optional<ReadValue> Expression::Evaluate(const Node& node,
                                              const std::map<std::string, ReadValue>& values) {
  if (node.op.empty()) {
    if (node.name.empty()) return node.value;
    const auto found = values.find(node.name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  const auto left = Evaluate(node.parts[0], values);
  if (!left) return std::nullopt;
  if (node.op == "not") return NumberOf(IsTrue(*left) ? 0 : 1);
  // As in C++, the right side is evaluated only if the result depends on it.
  if (node.op == "and" && !IsTrue(*left)) return NumberOf(0);
  if (node.op == "or" && IsTrue(*left)) return NumberOf(1);
  if (node.op == "?") return Evaluate(node.parts[IsTrue(*left) ? 1 : 2], values);
  const auto right = Evaluate(node.parts[1], values);
  if (!right) return std::nullopt;
  if (node.op == "and" || node.op == "or") return NumberOf(IsTrue(*right) ? 1 : 0);
  ReadValue out;
  if (node.op == "&") {
    out.bits = left->bits & right->bits;
    out.negative = left->negative && right->negative;
  } else if (node.op == "|") {
    out.bits = left->bits | right->bits;
    out.negative = left->negative || right->negative;
  } else if (node.op == "^") {
    out.bits = left->bits ^ right->bits;
    out.negative = left->negative != right->negative;
  } else if (node.op == "+") {
    return NumberOf(static_cast<std::int64_t>(left->bits + right->bits));
  } else if (node.op == "-") {
    return NumberOf(static_cast<std::int64_t>(left->bits - right->bits));
  } else {
    return NumberOf(CompareValues(node.op, *left, *right) ? 1 : 0);
  }
  return out;
}

std::optional<bool> Expression::Decide(const std::map<std::string, ReadValue>& values) const {
  const auto value = Evaluate(*root_, values);
  return value ? std::optional(IsTrue(*value)) : std::nullopt;
}

}  // namespace revctl::harness
