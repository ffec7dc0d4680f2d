#include "revctl/generate/code_text.h"

#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/generate/words.h"

namespace revctl::generate {
namespace {

constexpr std::size_t kColumns = 100;

/// Behind the last comma or operator at which `line` may be broken before the last column; npos
/// where there is none.
std::size_t BreakOf(std::string_view line) {
  std::size_t best = std::string_view::npos;
  char quote = 0;       // that is open
  bool number = false;  // in a number, where ' separates digits
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

}  // namespace revctl::generate
