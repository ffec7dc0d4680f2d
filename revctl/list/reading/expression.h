#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/reading/integer.h"
#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// What a name in an expression stands for.
struct NameValue {
  std::optional<Integer> value;
  std::string why;  ///< where there is no value: why not, as the end of a sentence
};

/// How names are looked up. `type` gives the integer type of a type's name (an enum's underlying
/// one), if it is known.
struct ExpressionNames {
  std::function<NameValue(std::string_view qualified)> value;
  std::function<std::optional<IntegerType>(std::string_view qualified)> type;
};

/// Evaluates a C++ constant expression over integers: literals, operators, casts,
/// names. What it does not understand is a Problem at the token, never a guess.
std::optional<Integer> Evaluate(std::span<const Token> tokens, const ExpressionNames& names,
                                Problem& problem);

/// Outcome of the condition of an #if.
enum class Truth { False, True, Unknown };

/// Evaluates an #if's condition after macro expansion. A name that is no macro here may be one that
/// the build defines, so it is unknown, and so is what depends on it; nullopt is a condition that
/// is no expression.
std::optional<Truth> EvaluateCondition(std::span<const Token> tokens, Problem& problem);

/// `unsigned int`, `std::uint16_t`, `size_t`; nullopt for what is none of the standard's integer
/// types.
std::optional<IntegerType> StandardIntegerType(std::string_view name);

/// Reads a type from the front of `tokens` and takes it off; leaves them as they are where there is
/// none.
std::optional<IntegerType> TakeType(std::span<const Token>& tokens, const ExpressionNames& names);

/// Reads `a::b::c` (a leading `::` too) from the front of `tokens` and takes it off; empty where
/// there is none.
std::string TakeQualifiedName(std::span<const Token>& tokens);

/// The token by which the preprocessor says "neither true nor false": a `defined(X)` that this file
/// does not decide.
inline constexpr std::string_view kUndecided = "\x01undecided";

}  // namespace revctl::list::detail
