#include "revctl/list/reading/expression.h"

#include <fmt/core.h>
#include <array>

namespace revctl::list::detail {
namespace {

/// Limit on the nesting of parentheses, operators and conditionals, to protect the stack.
constexpr int kDeepest = 200;

struct Operand {
  Integer value;
  bool known = true;
};

struct Operator {
  std::string_view spelling;
  int precedence;
};

constexpr std::array kOperators{
    Operator{"||", 1}, Operator{"&&", 2}, Operator{"|", 3},  Operator{"^", 4}, Operator{"&", 5},
    Operator{"==", 6}, Operator{"!=", 6}, Operator{"<", 7},  Operator{">", 7}, Operator{"<=", 7},
    Operator{">=", 7}, Operator{"<<", 8}, Operator{">>", 8}, Operator{"+", 9}, Operator{"-", 9},
    Operator{"*", 10}, Operator{"/", 10}, Operator{"%", 10}};

/// Returns the operator that the token stands for, which may be an alternative token such as `and`
/// or `bitor`.
std::string_view Meaning(const Token& token) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{
      {{"and", "&&"},
       {"or", "||"},
       {"not", "!"},
       {"bitand", "&"},
       {"bitor", "|"},
       {"xor", "^"},
       {"compl", "~"},
       {"not_eq", "!="}}};
  if (token.kind == TokenKind::Punctuator) return token.text;
  if (token.IsName()) {
    for (const auto& [word, op] : kWords) {
      if (token.text == word) return op;
    }
  }
  return {};
}

const Operator* FindOperator(const Token& token) {
  const std::string_view meaning = Meaning(token);
  for (const Operator& op : kOperators) {
    if (op.spelling == meaning) return &op;
  }
  return nullptr;
}

/// Evaluates the tokens by precedence climbing. While `dead_` is above 0, ignores arithmetic
/// errors, because the operand cannot affect the result (`0 && x`, a branch that is not taken).
class Evaluator {
 public:
  Evaluator(std::span<const Token> tokens, const ExpressionNames* names, Problem& problem)
      : all_(tokens), rest_(tokens), names_(names), problem_(problem) {}

  std::optional<Operand> Run() {
    auto result = Expression();
    if (result && !rest_.empty()) return Fail(fmt::format("unexpected '{}'", rest_.front().text));
    return result;
  }

 private:
  bool InCondition() const { return names_ == nullptr; }

  std::nullopt_t Fail(std::string message) {
    const std::size_t offset = !rest_.empty() ? rest_.front().span.begin
                               : all_.empty() ? problem_.offset
                                              : all_.back().span.end;
    return FailAt(offset, std::move(message));
  }

  std::nullopt_t FailAt(std::size_t offset, std::string message) {
    problem_ = {offset, std::move(message), {}};
    return std::nullopt;
  }

  bool Next(std::string_view meaning) const {
    return !rest_.empty() && Meaning(rest_.front()) == meaning;
  }

  bool Take(std::string_view meaning) {
    if (!Next(meaning)) return false;
    rest_ = rest_.subspan(1);
    return true;
  }

  bool Expect(std::string_view meaning) {
    if (Take(meaning)) return true;
    Fail(fmt::format("'{}' is missing here", meaning));
    return false;
  }

  std::optional<Operand> Expression() {
    if (++depth_ > kDeepest) return Fail("this expression is nested too deeply");
    auto result = Conditional();
    --depth_;
    return result;
  }

  std::optional<Operand> Conditional() {
    const auto condition = BinaryFrom(1);
    if (!condition || !Take("?")) return condition;
    const bool truth = condition->value.bits != 0;
    const auto yes = Branch(condition->known && !truth);
    if (!yes || !Expect(":")) return std::nullopt;
    const auto no = Branch(condition->known && truth);
    if (!no) return std::nullopt;
    const IntegerType type = yes->value.type == no->value.type
                                 ? yes->value.type
                                 : Common(yes->value.type, no->value.type);
    Operand result = truth ? *yes : *no;
    result.known = result.known && condition->known;
    result.value = Convert(result.value, type);
    return result;
  }

  std::optional<Operand> Branch(bool dead) {
    dead_ += dead ? 1 : 0;
    auto result = Expression();
    dead_ -= dead ? 1 : 0;
    return result;
  }

  std::optional<Operand> BinaryFrom(int least) {
    auto left = Prefix();
    while (left && !rest_.empty()) {
      const Operator* const op = FindOperator(rest_.front());
      if (op == nullptr || op->precedence < least) break;
      const std::size_t place = rest_.front().span.begin;
      rest_ = rest_.subspan(1);
      const bool decided = left->known && ((op->spelling == "&&" && left->value.bits == 0) ||
                                           (op->spelling == "||" && left->value.bits != 0));
      dead_ += decided ? 1 : 0;
      // The recursion has at most ten levels, one per precedence.
      const auto right = BinaryFrom(op->precedence + 1);
      dead_ -= decided ? 1 : 0;
      if (!right) return std::nullopt;
      left = Apply(*op, *left, *right, place);
    }
    return left;
  }

  std::optional<Operand> Apply(const Operator& op, const Operand& left, const Operand& right,
                               std::size_t place) {
    if (op.precedence <= 2) return Logical(op.spelling == "&&", left, right);
    if (!left.known || !right.known) return Operand{{}, false};
    const Computed computed = Binary(op.spelling, left.value, right.value);
    return Value(computed, place);
  }

  std::optional<Operand> Logical(bool is_and, const Operand& left, const Operand& right) const {
    // If one operand decides the result, the other may be unknown.
    for (const Operand* side : {&left, &right}) {
      if (side->known && (side->value.bits != 0) != is_and) return Truthful(!is_and);
    }
    if (!left.known || !right.known) return Operand{Truthful(false).value, false};
    return Truthful(is_and);
  }

  Operand Truthful(bool value) const {
    return {{value ? 1u : 0u, InCondition() ? kLongLong : kBool}};
  }

  std::optional<Operand> Value(const Computed& computed, std::size_t place) {
    if (computed.error != nullptr) {
      if (dead_ > 0) return Operand{};
      return FailAt(place, computed.error);
    }
    Operand result{computed.value};
    if (InCondition() && result.value.type.bits < 64)
      result.value.type = kLongLong;  // in #if, bool and char also become intmax_t
    return result;
  }

  std::optional<Operand> Prefix() {
    if (rest_.empty()) return Fail("expected an expression");
    if (++depth_ > kDeepest) return Fail("this expression is nested too deeply");
    auto result = PrefixUnguarded();
    --depth_;
    return result;
  }

  std::optional<Operand> PrefixUnguarded() {
    const Token& token = rest_.front();
    for (std::string_view op : {"+", "-", "~", "!"}) {
      if (!Take(op)) continue;
      const auto operand = Prefix();
      if (!operand || !operand->known) return operand;
      return Value(Unary(op, operand->value), token.span.begin);
    }
    if (Next("(")) return Parenthesis();
    if (token.kind == TokenKind::Number) return Literal(IntegerLiteral(token.text, InCondition()));
    if (token.kind == TokenKind::Character) return Literal(CharacterLiteral(token.text));
    if (token.kind == TokenKind::Identifier || Next("::"))
      return InCondition() ? ConditionName() : Name();
    return Fail(fmt::format("revctl cannot evaluate '{}' in an integer constant", token.text));
  }

  std::optional<Operand> Literal(const Computed& computed) {
    const Token token = rest_.front();
    if (computed.error != nullptr) return Fail(fmt::format("{}: {}", token.text, computed.error));
    rest_ = rest_.subspan(1);
    return Value(computed, token.span.begin);
  }

  std::optional<Operand> Parenthesis() {
    rest_ = rest_.subspan(1);
    if (!InCondition()) {
      std::span<const Token> after = rest_;
      const auto type = TakeType(after, *names_);
      if (type && !after.empty() && after.front().Is(")")) {
        rest_ = after.subspan(1);
        return Cast(*type, Prefix());
      }
    }
    auto result = Expression();
    if (!result || !Expect(")")) return std::nullopt;
    return result;
  }

  std::optional<Operand> Cast(IntegerType type, std::optional<Operand> operand) const {
    if (operand) operand->value = Convert(operand->value, type);
    return operand;
  }

  std::optional<Operand> ConditionName() {
    const Token token = rest_.front();
    rest_ = rest_.subspan(1);
    if (token.Is("true") || token.Is("false")) return Truthful(token.Is("true"));
    if (Next("(")) {  // an unknown call, such as __has_include(<x>)
      int open = 0;
      while (!rest_.empty()) {
        if (Next("(")) ++open;
        if (Next(")")) --open;
        rest_ = rest_.subspan(1);
        if (open == 0) break;
      }
    }
    return Operand{{0, kLongLong}, false};
  }

  std::optional<Operand> Name() {
    const Token token = rest_.front();
    if (token.Is("true") || token.Is("false")) {
      rest_ = rest_.subspan(1);
      return Truthful(token.Is("true"));
    }
    if (token.Is("static_cast")) return StaticCast();
    std::span<const Token> after = rest_;
    if (const auto type = TakeType(after, *names_);
        type && !after.empty() && (after.front().Is("(") || after.front().Is("{"))) {
      const std::string_view close = after.front().Is("(") ? ")" : "}";
      rest_ = after.subspan(1);
      if (Take(close)) return Operand{{0, *type}};
      auto result = Cast(*type, Expression());
      if (!result || !Expect(close)) return std::nullopt;
      return result;
    }
    after = rest_;
    const std::string name = TakeQualifiedName(after);
    if (name.empty()) return Fail(fmt::format("unexpected '{}'", token.text));
    if (name == "std::to_underlying" && !after.empty() && after.front().Is("(")) {
      rest_ = after;
      return Parenthesis();
    }
    if (!after.empty() && (after.front().Is("(") || after.front().Is("{"))) {
      return Fail(name +
                  " is not defined in this file; revctl evaluates only macros and types from the "
                  "same file");
    }
    const NameValue found = names_->value(name);
    if (!found.value) return Fail(fmt::format("{} {}", name, found.why));
    rest_ = after;
    return Operand{*found.value};
  }

  std::optional<Operand> StaticCast() {
    rest_ = rest_.subspan(1);
    if (!Expect("<")) return std::nullopt;
    const auto type = TakeType(rest_, *names_);
    if (!type) return Fail("unknown integer type");
    if (!Expect(">") || !Expect("(")) return std::nullopt;
    auto result = Cast(*type, Expression());
    if (!result || !Expect(")")) return std::nullopt;
    return result;
  }

  std::span<const Token> all_, rest_;
  const ExpressionNames* names_;  ///< null when evaluating the condition of an #if
  Problem& problem_;
  int depth_ = 0, dead_ = 0;
};

}  // namespace

std::optional<Integer> Evaluate(std::span<const Token> tokens, const ExpressionNames& names,
                                Problem& problem) {
  const auto result = Evaluator(tokens, &names, problem).Run();
  if (!result) return std::nullopt;
  return result->value;
}

std::optional<Truth> EvaluateCondition(std::span<const Token> tokens, Problem& problem) {
  const auto result = Evaluator(tokens, nullptr, problem).Run();
  if (!result) return std::nullopt;
  if (!result->known) return Truth::Unknown;
  return result->value.bits != 0 ? Truth::True : Truth::False;
}

}  // namespace revctl::list::detail
