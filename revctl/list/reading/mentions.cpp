#include "revctl/list/reading/mentions.h"

#include <algorithm>
#include <iterator>
#include <variant>

namespace revctl::list::detail {
namespace {

bool IsOneOf(const Token& token, std::initializer_list<std::string_view> spellings) {
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](std::string_view spelling) { return token.Is(spelling); });
}

/// True for a keyword, such as `return`, that does not declare the name after it. Any other
/// identifier before a name declares it: `int name`, `auto name`, `using name`.
bool EndsExpression(const Token& token) {
  return IsOneOf(token, {"return", "case", "sizeof", "throw", "else", "goto", "and", "or", "not",
                         "xor", "bitand", "bitor", "compl", "not_eq", "new", "delete", "co_return",
                         "co_yield", "co_await"});
}

/// True if the tokens around the name at `at` look like a declaration of the name. `at` must not be
/// the first or last token. `in_using` is true if a `using` precedes the name.
bool Declares(std::span<const Token> tokens, std::size_t at, bool in_using) {
  const Token &before = tokens[at - 1], &behind = tokens[at + 1];
  if (before.IsName())
    return !EndsExpression(before) &&
           IsOneOf(behind, {"=", "{", ";", ",", "(", "[", ")", ">", ":"});
  return (IsOneOf(before, {">", "&", "&&", "*", "]", ","}) && IsOneOf(behind, {"=", "{"})) ||
         (in_using && before.Is("::") && IsOneOf(behind, {";", ","}));
}

}  // namespace

void Mentions::Index() {
  indexed_ = true;
  std::vector<std::pair<std::size_t, std::string_view>> found;
  const auto& tokens = file_.tokens;
  bool in_using = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.Is("using")) in_using = true;
    if (IsOneOf(token, {";", "{", "}"})) in_using = false;
    if (i > 0 && token.IsName() && Declares(tokens, i, in_using))
      found.emplace_back(token.span.begin, token.text);
  }
  for (const Declaration& declaration : declarations_) {
    const auto* one = std::get_if<EnumDeclaration>(&declaration);
    if (one == nullptr) continue;
    for (const Enumerator& enumerator : one->enumerators)
      found.emplace_back(enumerator.name->span.begin, enumerator.name->text);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const auto& [place, name] : found) {
    auto& places = places_[name];
    if (places.size() < 2) places.push_back(place);
  }
}

bool Mentions::Several(std::string_view name, std::size_t before) {
  if (!indexed_) Index();
  const auto places = places_.find(name);
  return places != places_.end() && places->second.size() > 1 && places->second[1] < before;
}

}  // namespace revctl::list::detail
