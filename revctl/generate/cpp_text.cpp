#include "revctl/generate/cpp_text.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <utility>

#include "revctl/base/ascii.h"
#include "revctl/base/lexer.h"
#include "revctl/generate/definition.h"

namespace revctl::generate {
namespace {

constexpr std::size_t kColumns = 100;

/// Returns the position after the last comma or '=' where `line` can be broken within the limit, or
/// npos if there is none.
std::size_t BreakOf(std::string_view line) {
  std::size_t best = std::string_view::npos;
  char quote = 0;       // the quote that is open, or 0
  bool number = false;  // true inside a number, where ' separates digits
  for (std::size_t i = 0; i + 1 < line.size() && i < kColumns; ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
      continue;
    }
    if (base::IsWord(c)) {
      if (i == 0 || !(base::IsWord(line[i - 1]) || line[i - 1] == '\'')) number = base::IsDigit(c);
    } else if (c == '"' || (c == '\'' && !number)) {
      quote = c;
    } else if (c != '\'') {
      number = false;
      if (line[i + 1] == ' ' && (c == ',' || c == '=')) best = i + 1;
    }
  }
  return best;
}

}  // namespace

CodeText& CodeText::operator()(std::string_view line) {
  std::string rest(line);
  const std::size_t indent = std::min(rest.find_first_not_of(' '), rest.size());
  while (rest.size() > kColumns) {
    const std::size_t at = BreakOf(rest);
    if (at == std::string::npos || at <= indent + 4) break;
    text_ += rest.substr(0, at) + "\n";
    rest = std::string(indent + 4, ' ') + rest.substr(at + 1);
  }
  text_ += rest + "\n";
  return *this;
}

CodeText& CodeText::Whole(std::string_view line) {
  text_ += line;
  text_ += '\n';
  return *this;
}

CodeText& CodeText::Comment(std::string_view text, int indent) {
  const std::string head = std::string(static_cast<std::size_t>(indent), ' ') + "///";
  std::string line = head;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (line.size() > head.size() && line.size() + 1 + word.size() > kColumns) {
      text_ += line + "\n";
      line = head;
    }
    line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  text_ += line + "\n";
  return *this;
}

std::string Literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

namespace {

/// Names that generated bodies use: the archive, the object, a pointer to it, and the `old` object
/// of an upgrade. Also macros that compilers define.
constexpr std::array<std::string_view, 6> kOfBodies = {"d", "linux", "old", "r", "t", "unix"};

/// Object-like macros of standard headers and of the library, except those that IsLimit()
/// recognizes.
constexpr std::array<std::string_view, 17> kMacros = {
    "BUFSIZ",        "CHAR_BIT", "CLOCKS_PER_SEC", "EOF",
    "HUGE_VAL",      "INFINITY", "MB_CUR_MAX",     "MB_LEN_MAX",
    "NAN",           "NULL",     "RAND_MAX",       "REVCTL_SERIALIZE_END",
    "SERIALIZE_END", "TMP_MAX",  "TIME_UTC",       "WEOF",
    "errno"};

/// True for macros of <cstdint> and <climits>: `INT32_MAX`, `UINT_FAST8_WIDTH`, `SIZE_MAX`.
bool IsLimit(std::string_view name) {
  constexpr std::array<std::string_view, 15> kTypes = {
      "BOOL",  "CHAR", "INT",        "INTMAX", "INTPTR", "LLONG", "LONG", "PTRDIFF",
      "SCHAR", "SHRT", "SIG_ATOMIC", "SIZE",   "SSIZE",  "WCHAR", "WINT"};
  constexpr std::array<std::string_view, 4> kBits = {"8", "16", "32", "64"};
  const std::size_t end = name.rfind('_');
  if (end == std::string_view::npos) return false;
  const std::string_view what = name.substr(end);
  if (what != "_MAX" && what != "_MIN" && what != "_WIDTH") return false;
  std::string_view type = name.substr(0, end);
  if (type.starts_with('U')) type.remove_prefix(1);
  if (Has(kTypes, type)) return true;
  if (!type.starts_with("INT")) return false;
  type.remove_prefix(3);
  for (const std::string_view kind : {"_FAST", "_LEAST"}) {
    if (type.starts_with(kind)) type.remove_prefix(kind.size());
  }
  return Has(kBits, type);
}

/// Types, namespaces and functions that generated code uses.
constexpr std::array<std::string_view, 17> kTop = {
    "Newest", "Next", "array",  "int16_t",  "int32_t",  "int64_t",  "int8_t",  "map",   "optional",
    "revctl", "std",  "string", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "vector"};

}  // namespace

bool IsUsableName(std::string_view name) {
  if (name.empty() || name.size() > 100 || base::IsDigit(name.front())) return false;
  if (!std::all_of(name.begin(), name.end(), base::IsWord) ||
      name.find("__") != std::string_view::npos)
    return false;
  if (name.front() == '_' && name.size() > 1 && base::IsUpper(name[1])) return false;
  if (name.starts_with("revctl") || name.starts_with("Revctl")) return false;
  return !base::IsKeyword(name) && !Has(kOfBodies, name) && !Has(kMacros, name) && !IsLimit(name);
}

bool IsTakenAtTop(std::string_view name) { return Has(kTop, name); }

namespace {

char CloserOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

bool IsRawString(const base::Token& token) {
  const std::size_t quote = token.text.find('"');
  return token.kind == base::TokenKind::String && quote > 0 && token.text[quote - 1] == 'R';
}

base::Problem Wrong(std::string message, std::size_t at, const char* fix = "one C++ expression") {
  return {at, std::move(message), fix};
}

}  // namespace

std::optional<base::Problem> WrongWithExpression(std::string_view code) {
  base::Problem problem;
  const auto lexed = base::Lex(code, problem);
  if (!lexed) return Wrong(problem.message, problem.offset);
  if (!lexed->comments.empty()) {
    return Wrong("an expression cannot contain a comment", lexed->comments.front().begin);
  }
  if (!lexed->spliced.empty() || code.find("\\\n") != code.npos)
    return Wrong("an expression cannot contain '\\'", code.find('\\'));
  if (lexed->tokens.empty()) return Wrong("the expression is empty", 0);
  std::string closers;
  std::vector<std::size_t> opened;
  for (const base::Token& token : lexed->tokens) {
    const std::size_t at = token.span.begin;
    const char c = token.text[0];
    if (IsRawString(token)) return Wrong("raw strings are not supported", at);
    if (token.kind == base::TokenKind::Unknown && token.text.find_first_of("\"'") != code.npos)
      return Wrong(fmt::format("missing terminating {}", c), at);
    if (token.kind == base::TokenKind::Unknown || c == '#')
      return Wrong(fmt::format("an expression cannot contain '{}'", c), at);
    if (token.Is("(") || token.Is("[") || token.Is("{")) {
      closers += CloserOf(c);
      opened.push_back(at);
    } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
      if (closers.empty() || closers.back() != c)
        return Wrong(fmt::format("unmatched '{}'", c), at);
      closers.pop_back();
      opened.pop_back();
    } else if (token.Is(";") && closers.find('}') == std::string::npos) {
      return Wrong("an expression cannot contain ';'", at);
    } else if (token.Is(",") && closers.empty()) {
      return Wrong("a ',' outside of parentheses ends the expression", at, "put it in parentheses");
    }
  }
  if (!opened.empty())
    return Wrong(fmt::format("unclosed '{}'", code[opened.back()]), opened.back());
  return std::nullopt;
}

std::vector<Word> WordsOf(std::string_view code) {
  std::vector<Word> words;
  // The problem stays empty, because WrongWithExpression() has already rejected invalid code.
  base::Problem none;
  for (const base::Token& token : base::Lex(code, none).value_or(base::LexedFile()).tokens) {
    const base::Span at = token.span;
    if (token.IsName()) words.push_back({code.substr(at.begin, at.end - at.begin), at.begin});
  }
  return words;
}

}  // namespace revctl::generate
