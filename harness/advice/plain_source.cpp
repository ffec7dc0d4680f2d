// ReadPlainItem of plain_list.h: what FIELD and DEAD say beyond what reaches the program.
#include <algorithm>

#include "harness/advice/plain_list.h"
#include "revctl/base/file.h"
#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestPlainSource = 8U << 20;
/// A macro over several lines is at its last one for one compiler, at its first for another.
constexpr std::ptrdiff_t kMostLines = 8;

/// The tokens from `begin` to `end` as `text` spells them.
std::string Spelled(std::string_view text, const base::Token* begin, const base::Token* end) {
  if (begin == end) return "";
  return std::string(text.substr(begin->span.begin, end[-1].span.end - begin->span.begin));
}

/// The arguments between brackets, of which `at` is the opening one and becomes the closing one;
/// none where that is missing.
std::vector<std::string> Arguments(std::string_view text, const base::Token*& at,
                                   const base::Token* end) {
  std::vector<std::string> arguments;
  int depth = 0;
  for (const base::Token* begin = at + 1; at < end; ++at) {
    if (at->Is("(") || at->Is("[") || at->Is("{")) ++depth;
    if (at->Is(")") || at->Is("]") || at->Is("}")) --depth;
    if (depth > 1 || (depth == 1 && !at->Is(","))) continue;
    arguments.push_back(Spelled(text, begin, at));
    if (depth <= 0) return arguments;
    begin = at + 1;
  }
  return {};
}

/// Reads the macro that begins at `at`, if it is the declaration of `item.field`.
void ReadDeclaration(std::string_view text, const base::Token* at, const base::Token* end,
                     PlainItem& item) {
  std::string_view word = at->text;
  if (word.starts_with("REVCTL_")) word.remove_prefix(7);
  if (word != "FIELD" && word != "DEAD" && word != "DEAD_WITH") return;
  if (++at == end || !at->Is("(")) return;
  const auto arguments = Arguments(text, at, end);
  // Before the name stands the type, which may hold commas.
  const auto name = std::adjacent_find(arguments.begin(), arguments.end(),
                                       [&](const std::string& one, const std::string& next) {
                                         return one == item.field.name && next == item.field.since;
                                       });
  if (name == arguments.end()) return;
  item.type.clear();
  for (auto part = arguments.begin(); part != name; ++part)
    item.type += (item.type.empty() ? "" : ", ") + *part;
  const auto* const semicolon =
      std::find_if(at, end, [](const auto& each) { return each.Is(";"); });
  item.value = word == "FIELD" && semicolon != end ? Spelled(text, at + 1, semicolon) : "";
}

}  // namespace

PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file) {
  PlainItem item{field, "", ""};
  const auto source = base::ReadFile(file, kLargestPlainSource);
  if (field.line <= 0 || !source || !*source) return item;
  const std::string& text = **source;
  base::Problem problem;
  const auto lexed = base::Lex(text, problem, kLargestPlainSource);
  if (!lexed) return item;
  const base::Token* const end = lexed->tokens.data() + lexed->tokens.size();
  std::ptrdiff_t line = 1;
  std::size_t counted = 0;
  for (const base::Token& token : lexed->tokens) {
    for (; counted < token.span.begin; ++counted) line += text[counted] == '\n' ? 1 : 0;
    if (line > field.line) break;
    if (line + kMostLines >= field.line) ReadDeclaration(text, &token, end, item);
  }
  return item;
}

}  // namespace revctl::harness
