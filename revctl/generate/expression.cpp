#include "revctl/generate/expression.h"

#include <cctype>

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
  const bool number = std::isdigit(static_cast<unsigned char>(code[at])) != 0;
  std::size_t end = at + 1;
  while (end < code.size() &&
         (IsWordLetter(code[end]) ||
          (number && (code[end] == '.' || (code[end] == '\'' && end + 1 < code.size() &&
                                           IsWordLetter(code[end + 1])))))) {
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
    if (IsWordLetter(c)) {
      const std::size_t end = BehindWord(code, i);
      if (end < code.size() && code[end] == '"' && code[end - 1] == 'R')
        return ExpressionError{"a raw string", i};
      i = end;
      continue;
    }
    if (c == '"' || c == '\'') {
      const std::size_t end = BehindQuoted(code, i);
      if (end == std::string_view::npos)
        return ExpressionError{std::string("this ") + c + " is never closed", i};
      i = end;
      continue;
    }
    if (c == '/' && (code.substr(i).starts_with("//") || code.substr(i).starts_with("/*"))) {
      return ExpressionError{"a comment would take what follows with it", i};
    }
    if (c == '#' || c == '\\' || c == '@' || c == '`')
      return ExpressionError{std::string("'") + c + "' is in no expression", i};
    for (const std::string_view other :
         {"<%", "%>", "<:", ":>", "%:"}) {  // brackets of another spelling
      if (code.substr(i).starts_with(other) && !code.substr(i).starts_with("<::")) {
        return ExpressionError{"'" + std::string(other) + "' is a bracket in disguise", i};
      }
    }
    if (c == '(' || c == '[' || c == '{') {
      closers += CloserOf(c);
      opened.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (closers.empty() || closers.back() != c)
        return ExpressionError{std::string("this '") + c + "' closes nothing", i};
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
    return ExpressionError{std::string("this '") + code[opened.back()] + "' is never closed",
                           opened.back()};
  return std::nullopt;
}

std::vector<Word> WordsOf(std::string_view code) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < code.size();) {
    if (IsWordLetter(code[i])) {
      const std::size_t end = BehindWord(code, i);
      if (std::isdigit(static_cast<unsigned char>(code[i])) == 0)
        words.push_back({code.substr(i, end - i), i});
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
