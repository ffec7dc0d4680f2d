#include <algorithm>
#include <array>
#include <vector>

#include "revctl/list/reading/expression.h"

namespace revctl::list::detail {
namespace {

struct NamedType {
  std::string_view name;
  IntegerType type;
};

constexpr std::array kNamedTypes{
    NamedType{"int8_t", kSignedChar},
    NamedType{"uint8_t", kUnsignedChar},
    NamedType{"int16_t", kShort},
    NamedType{"uint16_t", kUnsignedShort},
    NamedType{"int32_t", kInt},
    NamedType{"uint32_t", kUnsigned},
    NamedType{"int64_t", kLong},
    NamedType{"uint64_t", kUnsignedLong},
    NamedType{"intmax_t", kLong},
    NamedType{"uintmax_t", kUnsignedLong},
    NamedType{"intptr_t", kLong},
    NamedType{"uintptr_t", kUnsignedLong},
    NamedType{"size_t", kUnsignedLong},
    NamedType{"ptrdiff_t", kLong},
    NamedType{"int_least8_t", kSignedChar},
    NamedType{"uint_least8_t", kUnsignedChar},
    NamedType{"int_least16_t", kShort},
    NamedType{"uint_least16_t", kUnsignedShort},
    NamedType{"int_least32_t", kInt},
    NamedType{"uint_least32_t", kUnsigned},
    NamedType{"int_least64_t", kLong},
    NamedType{"uint_least64_t", kUnsignedLong},
    NamedType{"int_fast8_t", kSignedChar},
    NamedType{"uint_fast8_t", kUnsignedChar},
    NamedType{"wchar_t", kInt},
    NamedType{"char8_t", kUnsignedChar},
    NamedType{"char16_t", kUnsignedShort},
    NamedType{"char32_t", kUnsigned},
};

/// Returns the type that a name such as `std::uint16_t` or `size_t` stands for. Returns nullopt if
/// `name` is not a standard integer type.
std::optional<IntegerType> StandardIntegerType(std::string_view name) {
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  if (name.substr(0, 5) == "std::") name.remove_prefix(5);
  for (const NamedType& known : kNamedTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 7> kKeywords = {"signed", "unsigned", "int", "long",
                                                       "short",  "char",     "bool"};

/// Returns the built-in type that `keywords` spell, in any order, such as `long unsigned int long`.
std::optional<IntegerType> TypeOf(const std::vector<std::string_view>& keywords) {
  const auto count = [&](std::string_view word) {
    return std::count(keywords.begin(), keywords.end(), word);
  };
  const bool is_unsigned = count("unsigned") > 0;
  if (is_unsigned && count("signed") > 0) return std::nullopt;
  if (count("bool") > 0) return kBool;
  if (count("char") > 0) return is_unsigned ? kUnsignedChar : kSignedChar;
  if (count("short") > 0) return is_unsigned ? kUnsignedShort : kShort;
  if (count("long") > 1) return is_unsigned ? kUnsignedLongLong : kLongLong;
  if (count("long") > 0) return is_unsigned ? kUnsignedLong : kLong;
  return is_unsigned ? kUnsigned : kInt;
}

/// Consumes `<E>` (and `::type` if `with_type` is true) at the front of the tokens after
/// `underlying_type`. Returns the underlying type of E, or nullopt if the tokens do not match.
std::optional<IntegerType> TakeUnderlying(std::span<const Token>& tokens, bool with_type,
                                          const ExpressionNames& names) {
  if (tokens.empty() || !tokens.front().Is("<")) return std::nullopt;
  tokens = tokens.subspan(1);
  const auto type = TakeType(tokens, names);
  if (!type || tokens.empty() || !tokens.front().Is(">")) return std::nullopt;
  tokens = tokens.subspan(1);
  if (!with_type) return type;
  if (tokens.size() < 2 || !tokens[0].Is("::") || !tokens[1].Is("type")) return std::nullopt;
  tokens = tokens.subspan(2);
  return type;
}

}  // namespace

std::string TakeQualifiedName(std::span<const Token>& tokens) {
  std::string name;
  std::span<const Token> rest = tokens;
  if (!rest.empty() && rest.front().Is("::")) {
    name = "::";
    rest = rest.subspan(1);
  }
  if (rest.empty() || !rest.front().IsName() || rest.front().undecided_macro) return {};
  for (;;) {
    name += rest.front().text;
    rest = rest.subspan(1);
    if (rest.size() < 2 || !rest[0].Is("::") || !rest[1].IsName()) break;
    name += "::";
    rest = rest.subspan(1);
  }
  tokens = rest;
  return name;
}

std::optional<IntegerType> TakeType(std::span<const Token>& tokens, const ExpressionNames& names) {
  std::span<const Token> rest = tokens;
  std::vector<std::string_view> keywords;
  for (; !rest.empty() && rest.front().IsName() && !rest.front().undecided_macro;
       rest = rest.subspan(1)) {
    const std::string_view word = rest.front().text;
    if (word == "const" || word == "volatile") continue;
    if (std::find(kKeywords.begin(), kKeywords.end(), word) == kKeywords.end()) break;
    keywords.push_back(word);
  }
  if (!keywords.empty()) {
    const auto type = TypeOf(keywords);
    if (type) tokens = rest;
    return type;
  }
  if (!rest.empty() && (rest.front().Is("typename") || rest.front().Is("enum")))
    rest = rest.subspan(1);
  const std::string name = TakeQualifiedName(rest);
  if (name.empty()) return std::nullopt;
  std::optional<IntegerType> type;
  if (name == "std::underlying_type_t" || name == "std::underlying_type") {
    type = TakeUnderlying(rest, name == "std::underlying_type", names);
  } else {
    type = names.type(name);
    if (!type) type = StandardIntegerType(name);
  }
  while (!rest.empty() && (rest.front().Is("const") || rest.front().Is("volatile")))
    rest = rest.subspan(1);
  if (type) tokens = rest;
  return type;
}

}  // namespace revctl::list::detail
