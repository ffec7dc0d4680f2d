#include "revctl/generate/expression.h"

#include <fmt/core.h>
#include <cctype>

#include "revctl/base/ascii.h"
#include "revctl/generate/words.h"

namespace revctl::generate {
namespace {

char CloserOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

/// Behind the quote that closes the one at `at`; npos where there is none.
std::size_t BehindQuoted(std::string_view code, std::size_t at) {
  for (std::size_t i = at + 1; i < code.size(); ++i) {
    if (code[i] == '\\') {
      ++i;
    } else if (code[i] == code[at]) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// Behind the word at `at`. A number is one with its points and separators: `1'000.5f`.
std::size_t BehindWord(std::string_view code, std::size_t at) {
  const bool number = base::IsDigit(code[at]);
  std::size_t end = at + 1;
  while (end < code.size() &&
         (base::IsWord(code[end]) ||
          (number && (code[end] == '.' || (code[end] == '\'' && end + 1 < code.size() &&
                                           base::IsWord(code[end + 1])))))) {
    ++end;
  }
  return end;
}

}  // namespace

std::optional<ExpressionError> WrongWithExpression(std::string_view code) {
  if (code.find_first_not_of(' ') == std::string_view::npos)
    return ExpressionError{"there is nothing", 0};
  std::string closers;
  std::vector<std::size_t> opened;
  for (std::size_t i = 0; i < code.size();) {
    const char c = code[i];
    if (base::IsWord(c)) {
      const std::size_t end = BehindWord(code, i);
      if (end < code.size() && code[end] == '"' && code[end - 1] == 'R')
        return ExpressionError{"a raw string", i};
      i = end;
      continue;
    }
    if (c == '"' || c == '\'') {
      const std::size_t end = BehindQuoted(code, i);
      if (end == std::string_view::npos)
        return ExpressionError{fmt::format("this {} is never closed", c), i};
      i = end;
      continue;
    }
    if (c == '/' && (code.substr(i).starts_with("//") || code.substr(i).starts_with("/*"))) {
      return ExpressionError{"a comment would take what follows with it", i};
    }
    if (c == '#' || c == '\\' || c == '@' || c == '`')
      return ExpressionError{fmt::format("'{}' is in no expression", c), i};
    for (const std::string_view other :
         {"<%", "%>", "<:", ":>", "%:"}) {  // brackets of another spelling
      if (code.substr(i).starts_with(other) && !code.substr(i).starts_with("<::")) {
        return ExpressionError{fmt::format("'{}' is a bracket in disguise", other), i};
      }
    }
    if (c == '(' || c == '[' || c == '{') {
      closers += CloserOf(c);
      opened.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (closers.empty() || closers.back() != c)
        return ExpressionError{fmt::format("this '{}' closes nothing", c), i};
      closers.pop_back();
      opened.pop_back();
    } else if (c == ';' && closers.find('}') == std::string::npos) {
      return ExpressionError{"';' ends an expression", i};
    } else if (c == ',' && closers.empty()) {
      return ExpressionError{"',' ends an expression", i, "put it in parentheses"};
    }
    ++i;
  }
  if (!opened.empty())
    return ExpressionError{fmt::format("this '{}' is never closed", code[opened.back()]),
                           opened.back()};
  return std::nullopt;
}

std::vector<Word> WordsOf(std::string_view code) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < code.size();) {
    if (base::IsWord(code[i])) {
      const std::size_t end = BehindWord(code, i);
      if (!base::IsDigit(code[i])) words.push_back({code.substr(i, end - i), i});
      i = end;
    } else if (code[i] == '"' || code[i] == '\'') {
      i = BehindQuoted(code, i);
    } else {
      ++i;
    }
  }
  return words;
}

}  // namespace revctl::generate
