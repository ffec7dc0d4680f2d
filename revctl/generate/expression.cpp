#include "revctl/generate/expression.h"

#include <fmt/core.h>

#include <utility>

namespace revctl::generate {
namespace {

char CloserOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

bool IsRawString(const base::Token& token) {
  const std::size_t quote = token.text.find('"');
  return token.kind == base::TokenKind::String && quote > 0 && token.text[quote - 1] == 'R';
}

base::Problem Wrong(std::string message, std::size_t at,
                    const char* fix = "one expression of C++") {
  return {at, std::move(message), fix};
}

}  // namespace

std::optional<base::Problem> WrongWithExpression(std::string_view code) {
  base::Problem problem;
  const auto lexed = base::Lex(code, problem);
  if (!lexed) return Wrong(problem.message, problem.offset);
  if (!lexed->comments.empty()) {
    return Wrong("a comment would take what follows with it", lexed->comments.front().begin);
  }
  if (!lexed->spliced.empty() || code.find("\\\n") != code.npos)
    return Wrong("'\\' is in no expression", code.find('\\'));
  if (lexed->tokens.empty()) return Wrong("there is nothing", 0);
  std::string closers;
  std::vector<std::size_t> opened;
  for (const base::Token& token : lexed->tokens) {
    const std::size_t at = token.span.begin;
    const char c = token.text[0];
    if (IsRawString(token)) return Wrong("a raw string", at);
    if (token.kind == base::TokenKind::Unknown && token.text.find_first_of("\"'") != code.npos)
      return Wrong(fmt::format("this {} is never closed", c), at);
    if (token.kind == base::TokenKind::Unknown || c == '#')
      return Wrong(fmt::format("'{}' is in no expression", c), at);
    if (token.Is("(") || token.Is("[") || token.Is("{")) {
      closers += CloserOf(c);
      opened.push_back(at);
    } else if (token.Is(")") || token.Is("]") || token.Is("}")) {
      if (closers.empty() || closers.back() != c)
        return Wrong(fmt::format("this '{}' closes nothing", c), at);
      closers.pop_back();
      opened.pop_back();
    } else if (token.Is(";") && closers.find('}') == std::string::npos) {
      return Wrong("';' ends an expression", at);
    } else if (token.Is(",") && closers.empty()) {
      return Wrong("',' ends an expression", at, "put it in parentheses");
    }
  }
  if (!opened.empty())
    return Wrong(fmt::format("this '{}' is never closed", code[opened.back()]), opened.back());
  return std::nullopt;
}

std::vector<Word> WordsOf(std::string_view code) {
  std::vector<Word> words;
  base::Problem none;  // WrongWithExpression() has refused such code
  for (const base::Token& token : base::Lex(code, none).value_or(base::LexedFile()).tokens) {
    const base::Span at = token.span;
    if (token.IsName()) words.push_back({code.substr(at.begin, at.end - at.begin), at.begin});
  }
  return words;
}

}  // namespace revctl::generate
