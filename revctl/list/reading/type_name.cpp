#include <algorithm>
#include <array>

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
};

/// Counts the keywords of a built-in type, which may be in any order, such as `long unsigned int
/// long`.
class Keywords {
 public:
  bool Add(std::string_view word) {
    if (word == "const" || word == "volatile") return true;
    int* const count = Slot(word);
    if (count == nullptr) return false;
    ++*count;
    any_ = true;
    return true;
  }

  bool Any() const { return any_; }

  std::optional<IntegerType> Type() const {
    if (!any_ || other_ > 0) return Other();
    if (signed_ > 0 && unsigned_ > 0) return std::nullopt;
    if (bool_ > 0) return kBool;
    if (char_ > 0) return unsigned_ > 0 ? kUnsignedChar : kSignedChar;
    if (short_ > 0) return unsigned_ > 0 ? kUnsignedShort : kShort;
    if (long_ > 1) return unsigned_ > 0 ? kUnsignedLongLong : kLongLong;
    if (long_ > 0) return unsigned_ > 0 ? kUnsignedLong : kLong;
    return unsigned_ > 0 ? kUnsigned : kInt;
  }

 private:
  int* Slot(std::string_view word) {
    if (word == "signed") return &signed_;
    if (word == "unsigned") return &unsigned_;
    if (word == "int") return &int_;
    if (word == "long") return &long_;
    if (word == "short") return &short_;
    if (word == "char") return &char_;
    if (word == "bool") return &bool_;
    for (const NamedType& other : kOthers) {
      if (other.name != word) continue;
      other_type_ = other.type;
      return &other_;
    }
    return nullptr;
  }

  std::optional<IntegerType> Other() const {
    if (other_ == 1 && other_type_.bits != 0) return other_type_;
    return std::nullopt;
  }

  static constexpr std::array kOthers{
      NamedType{"wchar_t", kInt}, NamedType{"char8_t", kUnsignedChar},
      NamedType{"char16_t", kUnsignedShort}, NamedType{"char32_t", kUnsigned}};
  int signed_ = 0, unsigned_ = 0, int_ = 0, long_ = 0, short_ = 0, char_ = 0, bool_ = 0, other_ = 0;
  IntegerType other_type_{0, false, 0};
  bool any_ = false;
};

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

std::optional<IntegerType> StandardIntegerType(std::string_view name) {
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  if (name.substr(0, 5) == "std::") name.remove_prefix(5);
  for (const NamedType& known : kNamedTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

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
  Keywords keywords;
  while (!rest.empty() && rest.front().IsName() && !rest.front().undecided_macro &&
         keywords.Add(rest.front().text))
    rest = rest.subspan(1);
  if (keywords.Any()) {
    const auto type = keywords.Type();
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
    type = names.type ? names.type(name) : std::nullopt;
    if (!type) type = StandardIntegerType(name);
  }
  while (!rest.empty() && (rest.front().Is("const") || rest.front().Is("volatile")))
    rest = rest.subspan(1);
  if (type) tokens = rest;
  return type;
}

}  // namespace revctl::list::detail
