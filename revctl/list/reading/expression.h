#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/reading/integer.h"
#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

struct NameValue {
  std::optional<Integer> value;
  /// why there is no value, worded as the end of a sentence; empty if there is one
  std::string why;
};

/// Name lookup for Evaluate(). `type` returns the integer type that a type name stands for (for an
/// enum, its underlying type), or nullopt if the name is unknown.
struct ExpressionNames {
  std::function<NameValue(std::string_view qualified)> value;
  std::function<std::optional<IntegerType>(std::string_view qualified)> type;
};

/// Evaluates a C++ constant expression of integer literals, operators, casts and names. Returns
/// nullopt and sets `problem` at the first token that it does not understand.
std::optional<Integer> Evaluate(std::span<const Token> tokens, const ExpressionNames& names,
                                Problem& problem);

enum class Truth { False, True, Unknown };

/// Evaluates the condition of an #if after macro expansion. A name that is not a macro of this file
/// may be defined by the build, so the name and every expression that depends on it are Unknown.
/// Returns nullopt and sets `problem` if the condition is not a valid expression.
std::optional<Truth> EvaluateCondition(std::span<const Token> tokens, Problem& problem);

/// Consumes an integer type at the front of `tokens`, and returns it. Returns nullopt and leaves
/// `tokens` unchanged if they do not begin with a known integer type.
std::optional<IntegerType> TakeType(std::span<const Token>& tokens, const ExpressionNames& names);

/// Consumes a name such as `a::b::c` or `::a::b` at the front of `tokens`, and returns it. Returns
/// "" and leaves `tokens` unchanged if they do not begin with a name.
std::string TakeQualifiedName(std::span<const Token>& tokens);

/// Text of a token in a condition whose value cannot be decided, such as `defined(X)` if only the
/// build can define X.
inline constexpr std::string_view kUndecided = "\x01undecided";

}  // namespace revctl::list::detail
